"""Attackers: prosecutor, journalist and marketer side by side, for every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from microveil.scores import Score

NAMES = ("prosecutor", "journalist", "marketer")


@dataclass(frozen=True)
class Attacker:
    """What one attacker may expect; a chance that does not apply is None."""

    name: str
    highest: float | None
    """Chance for the person at greatest risk."""
    average: float
    """Chance on average, which is the marketer's share of right guesses."""
    above_share: float | None
    """Share of the people above the threshold."""


@dataclass(frozen=True)
class Attackers:
    """The three attackers of one table."""

    all: tuple[Attacker, ...] = ()
    threshold: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON, by attacker."""
        return {
            one.name: {
                name: value
                for name, value in (
                    ("highest", one.highest),
                    ("average", one.average),
                    ("above_share", one.above_share),
                )
                if value is not None
            }
            for one in self.all
        }


def attackers_of(scores: Mapping[str, Score]) -> Attackers:
    """The attackers that a table's scores tell of; none without re-identification risk."""
    score = scores.get("reidentification_risk")
    if score is None:
        return Attackers()
    found = [_attacker(name, score.parts[name]) for name in NAMES]
    return Attackers(tuple(found), float(score.parts["threshold"]))


def _attacker(name: str, said: Mapping[str, float]) -> Attacker:
    return Attacker(name, said.get("highest"), float(said["average"]), said.get("above_share"))
