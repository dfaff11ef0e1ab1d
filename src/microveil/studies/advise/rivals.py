"""Releases that meet a goal, by hand or on offer, and which of them a taste prefers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from microveil.methods import Method
from microveil.studies.frontier.scoring import standing
from microveil.studies.frontier.study import Point
from microveil.tables import Table, standings
from microveil.utility import CellChanges

Yardstick = Literal["loss", "risk", "changed cells"]
YARDSTICKS: Mapping[str, Yardstick] = {
    "most useful": "loss",
    "safest": "risk",
    "truest": "changed cells",
}
"""What a recipe of each taste is chosen by."""


@dataclass(frozen=True)
class Rival:
    """A release with what goals ask for and tastes look at."""

    point: Point
    k: int
    """Smallest class, missing values as wildcards; 0 if values are wrong, which classes hide."""
    changed: float
    """Share of the cells that are not as they were; 1 if records are gone."""

    def by(self, yardstick: Yardstick) -> float:
        """The number that a taste looks at."""
        if yardstick == "changed cells":
            return self.changed
        return self.point.at.loss if yardstick == "loss" else self.point.at.risk


@dataclass(frozen=True)
class Found:
    """A recipe on offer."""

    k: int
    """The k that was asked for."""
    taste: str
    release: Rival


def rival_of(
    original: Table, released: Table, name: tuple[str, str], steps: Sequence[Method]
) -> Rival:
    """A release, scored as the study `frontier` does."""
    at = standing(original, released, *steps, numbers=False)
    wrong = any(step.perturbative for step in steps)
    keys = [n for n in original.roles.quasi_identifiers if n in released.columns]
    reached = 0 if wrong or not keys else standings(released, "wildcard")[None].k
    whole = released.height == original.height and set(released.columns) == set(original.columns)
    changed = CellChanges().measure(original, released).value if whole else 1.0
    return Rival(Point(*name, at), reached, changed)


def best_rival(offer: Found, swept: Sequence[Rival]) -> float | None:
    """The sweep's best for what a recipe on offer was chosen by, among what meets the goal.

    Against the safest stand releases that lose no more than it does.
    """
    yardstick = YARDSTICKS[offer.taste]
    able = [one for one in swept if one.k >= offer.k]
    if yardstick == "risk":
        able = [one for one in able if one.point.at.loss <= offer.release.point.at.loss]
    return min((one.by(yardstick) for one in able), default=None)
