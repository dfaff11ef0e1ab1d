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
from microveil.texts import Message, join

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
    of_people: bool = False
    """Whether a record is a person: the view of people over linked tables."""
    counts_people: bool = False
    """Whether required and achieved are numbers of people, and not of rows."""
    derivable: bool = False
    """Whether it holds only until somebody derives keys from the rest of the release."""

    @property
    def holds(self) -> bool:
        """Whether the requirement holds everywhere."""
        return len(self.broken_in) == 0 and self.kept_as_a_whole

    def sentence(self) -> str:
        """The result in words, without any cell values."""
        told: dict[str, Any] = {"title": self.title, "where": self._where()}
        told["numbers"] = self._numbers()
        if self.holds:
            verdict = Message("check.holds", "{title} holds{where} ({numbers}).", **told)
        else:
            told |= {"n": self.n_broken, "m": self.n_records}
            verdict = Message(
                "check.broken",
                "{title} does not hold{where}: {n} of {m} records break it ({numbers}).",
                **told,
            )
            if self.of_people:
                verdict = Message(
                    "check.broken_people",
                    "{title} does not hold{where}: {n} of {m} people break it ({numbers}).",
                    **told,
                )
        return join([verdict, *self.notes])

    def _where(self) -> Message:
        """Which quasi-identifiers were checked, and how missing ones were treated."""
        parts = []
        if self.scenario:
            name = self.scenario
            parts.append(Message("check.scenario", " for scenario '{name}'", name=name))
        if self.missing == "wildcard":
            parts.append(Message("check.wildcard", ", a missing key matching any value"))
        return join(parts, "")

    def _numbers(self) -> Message:
        """What was required and what was achieved."""
        numbers = required_and_reached(self.required, self.achieved, of_people=self.counts_people)
        parts = [self.wording or numbers]
        if self.achieved_as_category is not None:
            strict = Message(
                "check.as_category",
                "; missing keys as their own value: {reached:.6g}",
                reached=self.achieved_as_category,
            )
            parts.append(strict)
        return join(parts, "")

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
        if self.counts_people:
            plain["counted"] = "people"
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


def required_and_reached(required: float, achieved: float, *, of_people: bool = False) -> Message:
    """The two numbers of a check in words."""
    if of_people:
        return Message(
            "check.numbers_people",
            "required {required:.6g} people, reached {achieved:.6g}",
            required=required,
            achieved=achieved,
        )
    return Message(
        "check.numbers",
        "required {required:.6g}, reached {achieved:.6g}",
        required=required,
        achieved=achieved,
    )


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
        return self.verify_noting_missing(data)

    def verify_noting_missing(self, classes: Classes) -> Check:
        """Check the classes, recording how missing keys and people's rows were treated."""
        check = replace(self.verify(classes), missing=classes.missing)
        if classes.note is not None:
            check = replace(check, notes=(*check.notes, classes.note))
        if classes.missing == "category" or classes.table is None:
            return check
        strict = self.verify(classes.with_missing("category"))
        return replace(check, achieved_as_category=strict.achieved)
