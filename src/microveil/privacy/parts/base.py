"""PrivacyModel: a promise about a table; Check: whether it is kept."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from microveil.display import Card, Shown
from microveil.specs import Spec
from microveil.tables import Classes, Missing, Roles, as_table

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Check(Shown):
    """Whether a promise is kept, how far it is reached, and where it breaks."""

    model: str
    """Name of the model in files."""
    title: str
    """The promise in words: ``5-anonymity``."""
    required: float
    achieved: float
    """How far the promise is reached; infinite where no parameter would do."""
    broken_in: NDArray[np.int64]
    """Classes that break the promise."""
    n_broken: int
    """Records in those classes."""
    n_records: int
    scenario: str | None = None
    """Which further set of quasi-identifiers was looked at; none for the main one."""
    kept_as_a_whole: bool = True
    """False where a promise about the table as a whole is broken and no class is to blame."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """What is reached by part: by column where there are several, or by a second parameter."""
    missing: Missing = "category"
    """How missing keys were read."""
    achieved_as_category: float | None = None
    """What is reached with a missing key as a value of its own, where it matched every value."""
    wording: str | None = None
    """Required and reached in words, where two numbers do not say it."""
    notes: tuple[str, ...] = ()
    """Sentences that a reader must know to read the verdict rightly."""

    @property
    def holds(self) -> bool:
        """Whether the promise is kept everywhere."""
        return len(self.broken_in) == 0 and self.kept_as_a_whole

    def sentence(self) -> str:
        """The verdict in words, without a cell's value."""
        where = f" for scenario '{self.scenario}'" if self.scenario else ""
        if self.missing == "wildcard":
            where += ", a missing key matching any value"
        numbers = (
            self.wording or f"required {_short(self.required)}, reached {_short(self.achieved)}"
        )
        if self.achieved_as_category is not None:
            numbers += f"; as a value of its own: {_short(self.achieved_as_category)}"
        verdict = f"holds{where}"
        if not self.holds:
            share = f"{self.n_broken} of {self.n_records} records break it"
            verdict = f"does not hold{where}: {share}"
        return " ".join([f"{self.title} {verdict} ({numbers}).", *self.notes])

    def card(self) -> Card:
        """The verdict in words."""
        return Card(f"{'✔' if self.holds else '✘'} {self.sentence()}")

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain: dict[str, Any] = {
            "model": self.model,
            "required": self.required,
            "achieved": finite(self.achieved),
            "holds": self.holds,
            "n_broken": self.n_broken,
        }
        if self.parts:
            plain["parts"] = {name: finite(value) for name, value in self.parts.items()}
        if self.missing == "wildcard":
            plain["missing"] = self.missing
        if self.achieved_as_category is not None:
            plain["achieved_as_category"] = finite(self.achieved_as_category)
        if self.notes:
            plain["notes"] = list(self.notes)
        return plain if self.scenario is None else plain | {"scenario": self.scenario}


def finite(number: float) -> float | None:
    """The number, or none for an infinite one, which JSON cannot say."""
    return number if math.isfinite(number) else None


def _short(number: float) -> str:
    return f"{number:.6g}"


class PrivacyModel(Spec, ABC):
    """A promise about every class of a table."""

    tag: ClassVar[str] = "model"
    monotone: ClassVar[bool] = False
    """Whether a promise once kept stays kept when keys are coarsened; search may then prune."""

    def reads(self, roles: Roles) -> tuple[str, ...]:  # noqa: ARG002  for models that override
        """Columns the promise is about beside the quasi-identifiers."""
        return ()

    @abstractmethod
    def verify(self, classes: Classes) -> Check:
        """Check the promise on classes."""

    def check(self, data: Any, roles: Roles | None = None, missing: Missing = "category") -> Check:
        """Check the promise on classes, a table, or any data frame with roles."""
        if not isinstance(data, Classes):
            data = Classes.of(as_table(data, roles), missing=missing)
        return self.judged(data)

    def judged(self, classes: Classes) -> Check:
        """The check on classes, with how missing keys and people's rows were read."""
        check = replace(self.verify(classes), missing=classes.missing)
        if classes.note is not None:
            check = replace(check, notes=(*check.notes, classes.note))
        if classes.missing == "category" or classes.table is None:
            return check
        strict = self.verify(classes.read_as("category"))
        return replace(check, achieved_as_category=strict.achieved)
