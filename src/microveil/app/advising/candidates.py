"""Candidates: recipes that were tried, and how each did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from microveil.recipes import Recipe

AS_IT_IS = "as_it_is"
"""Family of the recipe that leaves the keys alone."""
Key = tuple[bool, float, float, float, str]


@dataclass(frozen=True)
class Verdict:
    """A requirement on a candidate: what was asked, and what was reached."""

    title: str
    required: float
    achieved: float
    holds: bool
    place: int
    """Which of the goal's requirements it belongs to."""

    @property
    def shortfall(self) -> float:
        """How far it is from holding, relative to what is required; 0 if it holds."""
        if self.holds:
            return 0.0
        scale = max(abs(self.required), 1e-9)
        return min(abs(self.achieved - self.required) / scale, 1e6) + 1e-6

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "title": str(self.title),
            "required": self.required,
            "achieved": self.achieved if abs(self.achieved) < float("inf") else None,
            "holds": self.holds,
        }


@dataclass(frozen=True)
class Candidate:
    """A recipe to try, and how it did once it was tried; no value of a record."""

    kind: str
    """The method that gives the candidate its name; empty for the recipe as it was."""
    detail: str
    """The settings that tell it from others of its method."""
    recipe: Recipe
    holds: bool | None = None
    """Whether every requirement is met; None if no release could be made."""
    risk: float | None = None
    """Expected share of the records that an intruder who knows the keys finds."""
    loss: float | None = None
    """What is lost of what must stay useful."""
    problem: str = ""
    family: str = ""
    verdicts: tuple[Verdict, ...] = ()
    columns: Mapping[str, float] = field(default_factory=dict)
    """Loss of each column's cells."""
    analyses: Mapping[str, float] = field(default_factory=dict)
    """Loss of each named analysis."""
    changed: float | None = None
    """Share of the cells that are not as they were."""
    true: bool = True
    """Whether no value is wrong."""
    whole: bool = True
    """Whether no record is removed."""
    emptied: tuple[str, ...] = ()
    """Columns of which next to nothing is left."""
    n_records: int = 0
    """Records it was tried on."""
    forbidden: str = ""
    """What it does that the goal forbids."""

    @property
    def counts(self) -> bool:
        """Whether it meets every requirement and could be measured."""
        return bool(self.holds) and self.risk is not None and self.loss is not None

    @property
    def shortfall(self) -> float:
        """How far it is from holding; infinite if it says nothing."""
        if self.loss is None or self.forbidden:
            return float("inf")
        return sum(one.shortfall for one in self.verdicts)

    @property
    def rank(self) -> Key:
        """Those that count first, by their loss; then those that are nearest to counting."""
        loss = float("inf") if self.loss is None else self.loss
        risk = 1.0 if self.risk is None else self.risk
        name = f"{self.family} {self.detail}"
        return (not self.counts, 0.0 if self.counts else self.shortfall, loss, risk, name)

    @property
    def name(self) -> str:
        """The candidate in words: its method and its settings."""
        if self.family == AS_IT_IS:
            return "keys as they are"
        kind = self.kind.replace("_", " ") or "recipe as it was"
        return f"{kind} ({self.detail})" if self.detail else kind

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, without the recipe."""
        return {
            "name": self.name,
            "family": self.family,
            "holds": self.holds,
            "risk": self.risk,
            "loss": self.loss,
            "changed": self.changed,
            "true": self.true,
            "whole": self.whole,
            "verdicts": [one.to_dict() for one in self.verdicts],
            "columns": dict(self.columns),
            "analyses": dict(self.analyses),
            "problem": str(self.problem or self.forbidden),
        }
