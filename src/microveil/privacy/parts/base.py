"""PrivacyModel: a requirement on a table; Check: whether the table meets it."""

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
    """Whether a requirement holds, what the table achieves, and where it fails."""

    model: str
    """Name of the model in files."""
    title: str
    """The requirement in words: ``5-anonymity``."""
    required: float
    achieved: float
    """Strictest value that the table satisfies; infinite where no parameter would do."""
    broken_in: NDArray[np.int64]
    """Classes that violate the requirement."""
    n_broken: int
    """Number of records in those classes."""
    n_records: int
    scenario: str | None = None
    """Scenario (further set of quasi-identifiers) that was checked; None for the main one."""
    kept_as_a_whole: bool = True
    """False if a requirement on the table as a whole fails and no single class is to blame."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Values achieved by part: by column where there are several, or by a second parameter."""
    missing: Missing = "category"
    """How missing keys were treated."""
    achieved_as_category: float | None = None
    """Value achieved with a missing key as a value of its own, if it matched every value here."""
    wording: str | None = None
    """Required and achieved in words, where two numbers are not enough."""
    notes: tuple[str, ...] = ()
    """Sentences needed to interpret the result correctly."""

    @property
    def holds(self) -> bool:
        """Whether the requirement holds everywhere."""
        return len(self.broken_in) == 0 and self.kept_as_a_whole

    def sentence(self) -> str:
        """The result in words, without any cell values."""
        where = f" for scenario '{self.scenario}'" if self.scenario else ""
        if self.missing == "wildcard":
            where += ", a missing key matching any value"
        numbers = (
            self.wording or f"required {_short(self.required)}, reached {_short(self.achieved)}"
        )
        if self.achieved_as_category is not None:
            numbers += f"; missing keys as their own value: {_short(self.achieved_as_category)}"
        verdict = f"holds{where}"
        if not self.holds:
            share = f"{self.n_broken} of {self.n_records} records break it"
            verdict = f"does not hold{where}: {share}"
        return " ".join([f"{self.title} {verdict} ({numbers}).", *self.notes])

    def card(self) -> Card:
        """The result in words."""
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
    """The number, or None if it is infinite, which JSON cannot express."""
    return number if math.isfinite(number) else None


def _short(number: float) -> str:
    return f"{number:.6g}"


class PrivacyModel(Spec, ABC):
    """A requirement on every class of a table."""

    tag: ClassVar[str] = "model"
    monotone: ClassVar[bool] = False
    """Whether the model, once it holds, still holds for coarser keys; a search may then prune."""

    def reads(self, roles: Roles) -> tuple[str, ...]:  # noqa: ARG002  for models that override
        """Columns the model uses besides the quasi-identifiers."""
        return ()

    @abstractmethod
    def verify(self, classes: Classes) -> Check:
        """Check the requirement on classes."""

    def check(self, data: Any, roles: Roles | None = None, missing: Missing = "category") -> Check:
        """Check the requirement on classes, a table, or any data frame with roles."""
        if not isinstance(data, Classes):
            data = Classes.of(as_table(data, roles), missing=missing)
        return self.judged(data)

    def judged(self, classes: Classes) -> Check:
        """Check the classes, recording how missing keys and people's rows were treated."""
        check = replace(self.verify(classes), missing=classes.missing)
        if classes.note is not None:
            check = replace(check, notes=(*check.notes, classes.note))
        if classes.missing == "category" or classes.table is None:
            return check
        strict = self.verify(classes.with_missing("category"))
        return replace(check, achieved_as_category=strict.achieved)
