"""Goal: what must hold, what must stay useful and what may not happen; YAML in and out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias

import yaml
from pydantic import Field, model_validator

from microveil.app.advising.analyses import Analysis
from microveil.app.suggesting import K_BY_AUDIENCE, Audience, default_ground
from microveil.errors import FileError, InputError, SpecError, did_you_mean, system_reason
from microveil.files.sources import expand_home
from microveil.files.texts import parsed_yaml
from microveil.hierarchies import AnyHierarchy
from microveil.privacy import KAnonymity, PrivacyModel
from microveil.recipes import MeasureRequirement
from microveil.recipes.across_releases import AcrossReleases
from microveil.recipes.measure_requirement import REQUIREMENTS
from microveil.specs import Spec
from microveil.synthesis.private.domain import Domain
from microveil.tables import Missing, Table
from microveil.tables.roles import Columns, check_columns
from microveil.texts import phrase

LOSSES = (
    "cell_loss",
    "generalization_loss",
    "cell_changes",
    "entropy_loss",
    "discernibility",
    "prediction",
)
"""Utility measures by which a form offers to choose: all are losses between 0 and 1."""
PRESETS: tuple[str, ...] = tuple(K_BY_AUDIENCE)
Requirement: TypeAlias = PrivacyModel | MeasureRequirement


class Goal(Spec):
    """What a release must satisfy, what it must stay good for, and what may not happen to it.

    :func:`~microveil.advise` turns it into recipes. Without a requirement, k-anonymity is required,
    with the k that the audience or the number of people asks for.

    >>> goal = Goal.from_yaml("{audience: research, weights: {age: 2}, truthful: true}")
    >>> goal.audience, goal.weights["age"], goal.truthful
    ('research', 2.0, True)
    """

    audience: Audience | None = None
    """Who will read the data: ``public`` (k = 11), ``research`` (5) or ``internal`` (3)."""
    require: tuple[Annotated[Requirement, REQUIREMENTS], ...] = ()
    """What must hold, as in a recipe: privacy models, ceilings on any risk (attacks included),
    floors on utility."""
    weights: Mapping[str, Annotated[float, Field(ge=0, le=1e6)]] = Field(default_factory=dict)
    """How much each column matters; 1 by default, 0 for one that may go."""
    analyses: tuple[Analysis, ...] = ()
    """What will be computed from the release, and must stay right."""
    truthful: bool = False
    """Whether no value may be wrong: coarser and missing ones are allowed, noise is not."""
    keep_records: bool = False
    """Whether no record may be removed."""
    untouched: Columns = ()
    """Columns that must leave as they came."""
    epsilon: float | None = Field(default=None, gt=0)
    """Largest privacy loss ε: the release is then synthetic, drawn with differential privacy."""
    domain: Domain = Field(default_factory=dict)
    """With ε: possible values of each column, from public knowledge and never from the data."""
    missing: Missing | None = None
    """How a missing key is treated: a value of its own (category), or one that matches any."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values generalise, by column, where you know better than their types tell."""
    loss: str | None = None
    """Utility measure to choose by instead, such as ``strategy_score``."""
    max_loss: float | None = Field(default=None, ge=0)
    """Largest loss of a release that is still of use."""

    if TYPE_CHECKING:  # what callers may pass; what is kept stands above

        def __init__(  # noqa: PLR0913  one for each field
            self,
            *,
            audience: Audience | None = ...,
            require: Sequence[Requirement | Mapping[str, Any]] = ...,
            weights: Mapping[str, float] = ...,
            analyses: Sequence[Analysis | Mapping[str, Any]] = ...,
            truthful: bool = ...,
            keep_records: bool = ...,
            untouched: str | Sequence[str] = ...,
            epsilon: float | None = ...,
            domain: Mapping[str, Any] = ...,
            missing: Missing | None = ...,
            hierarchies: Mapping[str, Any] = ...,
            loss: str | None = ...,
            max_loss: float | None = ...,
        ) -> None: ...

    @model_validator(mode="after")
    def _no_contradiction(self) -> Self:
        if self.epsilon is not None and self.truthful:
            raise ValueError(
                phrase(
                    "A release with differential privacy (epsilon) is drawn from a model and holds "
                    "no true value: leave out `truthful` or `epsilon`."
                )
            )
        if self.epsilon is not None and (self.keep_records or self.untouched):
            raise ValueError(
                phrase(
                    "A release with differential privacy (epsilon) keeps no record and no column "
                    "as it was: leave out `epsilon`, or `keep_records` and `untouched`."
                )
            )
        if any(isinstance(one, AcrossReleases) for one in self.require):
            raise ValueError(
                phrase(
                    "`across_releases` needs a registry, which only a run has: put it into the "
                    "recipe that you choose."
                )
            )
        idle = [name for name in self.untouched if self.weights.get(name) == 0]
        if idle:
            raise ValueError(
                phrase(
                    "Column {idle:quoted} must stay untouched and yet has weight 0: choose one.",
                    idle=idle,
                )
            )
        return self

    @classmethod
    def of(cls, goal: Goal | Mapping[str, Any] | str | None) -> Goal:
        """A goal as callers give it: a spec, plain data, or the name of an audience."""
        if goal is None:
            return cls()
        if isinstance(goal, Goal):
            return goal
        if isinstance(goal, Mapping):
            return cls.parse(dict(goal))
        if goal in PRESETS:
            return cls.parse({"audience": goal})
        raise InputError(
            "There is no audience '{goal}'.{hint} There are: {presets:quoted}. A goal of your own "
            "is a file: Goal.read(path).",
            goal=goal,
            hint=did_you_mean(str(goal), PRESETS),
            presets=PRESETS,
        )

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a goal file, YAML or JSON; all its problems are reported at once."""
        path = expand_home(path)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise FileError("{path}: not UTF-8 text. Save the goal as UTF-8.", path=path) from None
        except OSError as error:
            raise FileError(
                "{path}: cannot read the goal ({reason}).", path=path, reason=system_reason(error)
            ) from None
        return cls.from_yaml(text, str(path))

    @classmethod
    def from_yaml(cls, text: str, source: str | None = None) -> Self:
        """Parse a goal from YAML (or JSON, which is also YAML)."""
        raw = parsed_yaml(text, source)
        if raw is None:
            return cls()
        if not isinstance(raw, dict):
            raise SpecError([phrase("A goal is a mapping: audience, require, weights, …")], source)
        return cls.parse(raw, source)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, without what is at its default."""
        plain = self.model_dump(mode="json", exclude_defaults=True, exclude={"require", "analyses"})
        if self.hierarchies:
            plain["hierarchies"] = {name: one.to_dict() for name, one in self.hierarchies.items()}
        if self.require:
            plain["require"] = [one.to_dict() for one in self.require]
        if self.analyses:
            plain["analyses"] = [one.to_dict() for one in self.analyses]
        return plain

    def to_yaml(self) -> str:
        """The goal as YAML."""
        return yaml.safe_dump(
            self.to_dict(), sort_keys=False, allow_unicode=True, default_flow_style=None, width=100
        )

    def write(self, path: str | Path) -> None:
        """Write the goal as YAML, atomically."""
        from microveil.files import write_text

        write_text(self.to_yaml(), Path(path))

    def requirements(self, table: Table) -> tuple[Requirement, ...]:
        """What is required of a table: as said, with k-anonymity where nothing else is."""
        models = [one for one in self.require if isinstance(one, PrivacyModel)]
        asks = self.audience is not None and not any(
            isinstance(getattr(one, "k", None), int) for one in models
        )
        bare = not self.require and self.epsilon is None
        if not any(table.roles.key_sets().values()) or not (asks or bare):
            return self.require
        return (KAnonymity(k=default_ground(table, self.audience).k), *self.require)

    def check_against(self, table: Table) -> None:
        """Refuse what the table cannot satisfy: columns it does not have, or that identify."""
        named = [name for one in self.analyses for name in one.columns]
        check_columns(
            dict.fromkeys(
                (*self.weights, *named, *self.untouched, *self.hierarchies, *self.domain)
            ),
            table.columns,
        )
        roles = table.roles
        ids = [name for name in self.untouched if name in (*roles.identifiers, roles.entity)]
        if ids:
            raise InputError(
                "Column {ids:quoted} identifies people and cannot stay untouched. Leave it out of "
                "`untouched`.",
                ids=ids,
            )


def goal_schema() -> dict[str, Any]:
    """The JSON Schema of goal files, for completion and checks in editors."""
    schema = Goal.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Microveil goal",
    } | {key: value for key, value in schema.items() if key != "title"}
