"""Project: one person's table, plan and findings; what pages read and change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from secrets import token_hex

import polars as pl

from microveil.app import Inspection
from microveil.app.advising import Advice
from microveil.app.effects import Effect
from microveil.app.finding import Found, find
from microveil.files import Labels
from microveil.methods.parts.streams import Chance
from microveil.recipes import Recipe
from microveil.risk import Assessment, assess_table
from microveil.tables import Table
from microveil.web.project.comparing import ColumnPair, PairView, column_pairs
from microveil.web.project.findings import Findings
from microveil.web.project.history import History
from microveil.web.project.lattice import LatticeView, Surroundings
from microveil.web.project.plan import Item, ProjectPlan, state_keys
from microveil.web.project.registries import RegistryPlace, RegistryUse
from microveil.web.project.releasing import Made
from microveil.web.project.risk_view import RiskView
from microveil.web.project.saved import SavedProject, pack_frame
from microveil.web.project.states import States, read_frame
from microveil.web.project.tabulating import TablesView
from microveil.web.project.tasks import Opened


@dataclass(eq=False)
class Project:
    """A table in a private folder, the plan for it, and what is known so far."""

    source: str
    """Name of the file the data came from."""
    data: Path
    opened: Opened
    history: History = field(default_factory=History)
    effects: dict[str, Effect] = field(default_factory=dict)
    """By the name of a state; see :func:`~microveil.web.project.plan.state_keys`."""
    lattices: dict[str, LatticeView] = field(default_factory=dict)
    surroundings: dict[str, Surroundings] = field(default_factory=dict)
    """The node of a search that was looked at last, by the name of its state."""
    risks: dict[str, RiskView] = field(default_factory=dict)
    pairs: dict[str, PairView] = field(default_factory=dict)
    made: dict[str, Made] = field(default_factory=dict)
    advice: Advice | None = None
    """What the search for the best recipe found."""
    reasons: tuple[tuple[Item, ...], tuple[str, ...]] = ((), ())
    """Steps that were suggested, and why these."""
    pinned: dict[str, ProjectPlan] = field(default_factory=dict)
    chance: Chance = field(default_factory=lambda: Chance.of(None, pl.DataFrame()))
    findings: Findings = field(default_factory=Findings, repr=False)
    """What pages asked for that takes a moment with a large table."""
    registry: RegistryUse | None = None
    """Where releases of these data are noted, and how."""
    tables: TablesView | None = None
    """Tables that were counted or protected last."""
    table_seed: int | None = field(default=None, repr=False)
    """What random rounding draws from: the same when tables are looked at and when they leave."""
    known: dict[str, str] = field(default_factory=dict)
    """What "find me" was told last."""

    @classmethod
    def begin(cls, source: str, data: Path, opened: Opened) -> Project:
        """A project with the roles that its columns suggest."""
        project = cls(source, data, opened)
        project.history = History([ProjectPlan(roles=opened.inspection.roles)])
        return project

    def note_in(self, place: RegistryPlace | None) -> None:
        """Note releases in a registry, under the name of the file; in none without a place."""
        self.registry = None if place is None else RegistryUse(place, Path(self.source).stem)

    @property
    def plan(self) -> ProjectPlan:
        """The current plan."""
        return self.history.now

    @property
    def recipe(self) -> Recipe:
        """The recipe of the plan."""
        return self.plan.recipe.model_copy(update={"reading": self.opened.reading})

    @property
    def inspection(self) -> Inspection:
        """What the inspection of the data found."""
        return self.opened.inspection

    @property
    def labels(self) -> Labels:
        """Labels that came with the file."""
        return self.opened.labels

    @cached_property
    def frame(self) -> pl.DataFrame:
        """The original data, read from where they lie."""
        return read_frame(self.data)

    def key_risk(self, keys: Sequence[str]) -> Assessment:
        """What some keys single out in the original."""
        return self.findings.now(self.key_question(keys), lambda: self.assess_keys(keys))

    def key_question(self, keys: Sequence[str]) -> tuple[object, ...]:
        """What decides the answer: the keys, whose rows they are, and how a gap is read."""
        return ("keys", self.plan.roles.entity, self.recipe.missing_keys, *keys)

    def assess_keys(self, keys: Sequence[str], n_worst: int = 0) -> Assessment:
        """Count the classes of some keys, as an assessment of the original would."""
        roles = self.plan.roles.model_copy(
            update={"quasi_identifiers": tuple(keys), "scenarios": {}}
        )
        table = Table(self.frame, roles)
        missing = self.recipe.missing_keys
        return assess_table(table, missing=missing, n_worst=n_worst, records=False)

    @property
    def states(self) -> States:
        """Where the table after each step is kept."""
        return States(self.data.parent)

    def keys(self, plan: ProjectPlan | None = None) -> list[str]:
        """Names of the states of a plan: the original first."""
        return state_keys((plan or self.plan).recipe, self.data.name)

    @property
    def key(self) -> str:
        """Name of the state that the plan ends in."""
        return self.keys()[-1]

    def effect(self, plan: ProjectPlan | None = None) -> Effect | None:
        """The effect of a plan as a whole; None until its steps have been taken."""
        return self.effects.get(self.keys(plan)[-1])

    def up_to_date(self) -> bool:
        """Whether every step of the plan was taken."""
        return all(key in self.effects for key in self.keys())

    def verdict_key(self) -> str:
        """Name of a release: its table, and all that is asked of it."""
        recipe = self.recipe
        return f"{self.key} {recipe.to_yaml()} {hash(self.registry)}"

    @property
    def why(self) -> tuple[str, ...]:
        """Why the plan has its steps, as long as they are those that were suggested."""
        items, reasons = self.reasons
        return reasons if items and items == self.plan.items else ()

    def find(self, known: Mapping[str, str]) -> list[Found]:
        """Who is left after each step, for somebody who knows some things of a person."""
        recipe, keys = self.recipe, self.keys()
        sensitive = recipe.roles.sensitive
        said = {name: value for name, value in known.items() if value.strip()}
        found = [find("original", self.frame, said, sensitive)]
        perturbed: set[str] = set()
        for step, key in zip(recipe.steps, keys[1:], strict=True):
            if not self.states.has(key):
                break
            if step.perturbative:
                perturbed |= set(getattr(step, "columns", ()) or self.frame.columns)
            frame, rows = self.states.frame(key), self.states.rows(key)
            beside = {
                name: self.frame[name] if rows is None else self.frame[name][rows]
                for name in said
                if name not in perturbed
            }
            if frame.height != self.frame.height and rows is None:
                beside = {}
            found.append(find(step.kind(), frame, said, sensitive, beside))
        return found

    def pairs_now(self) -> list[ColumnPair]:
        """The bars of each column before and after, keys first."""
        key, keys = self.key, self.plan.roles.quasi_identifiers
        after = self.states.frame(key) if self.recipe.steps else self.frame
        first = [*keys, *(name for name in self.frame.columns if name not in keys)]
        return column_pairs(self.frame.select(first), after, self.labels)

    def to_saved(self, *, with_data: bool) -> SavedProject:
        """The project as a file holds it."""
        return SavedProject(
            source=self.source,
            plan=self.plan,
            reading=self.opened.reading,
            pinned=dict(self.pinned),
            data=pack_frame(self.frame) if with_data else None,
        )

    def restore(self, saved: SavedProject) -> None:
        """Continue with a saved plan on the open data."""
        saved.plan.roles.check_columns(self.frame.columns)
        self.history = History([saved.plan])
        self.pinned = dict(saved.pinned)


def new_name(suffix: str) -> str:
    """A random file name, which cannot be guessed and reveals nothing about the content."""
    return f"{token_hex(8)}{suffix}"
