"""Choosing: the most useful, the safest and the truest recipe, each confirmed on all records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from microveil.app.advising.candidates import Candidate
from microveil.release import Release

Taste = Literal["useful", "safest", "truest"]
TASTES: tuple[Taste, ...] = ("useful", "safest", "truest")
STILL_OF_USE = 0.25
"""Share of what the most useful recipe keeps that the safest may give up for less risk."""
STILL_TRUE = 0.5
"""Share of what the most useful recipe of true values keeps that the truest may give up: next to
nothing is true, too."""
MOST_CONFIRMED = 4
"""Recipes that are confirmed for a taste before it is given up."""
Confirm: TypeAlias = "Callable[[Candidate], Offer | None]"


@dataclass(frozen=True, eq=False)
class Offer:
    """A recipe on offer: its release on all records, and figures from draws of its own."""

    taste: Taste
    candidate: Candidate
    release: Release | None
    """None once the data were set aside."""
    chosen_by: Candidate
    """The figures that it was chosen by."""


def by_taste(taste: Taste, tried: Iterable[Candidate]) -> list[Candidate]:
    """Candidates that count, the best for a taste first."""
    able = [one for one in tried if one.counts]
    if not able:
        return []
    if taste == "useful":
        return sorted(able, key=lambda one: one.rank)
    least = min(one.loss or 0.0 for one in able)
    most = least + STILL_OF_USE * max(1 - least, 0.0)
    if taste == "safest":
        near = [one for one in able if (one.loss or 0.0) <= most + 1e-12]
        return sorted(near, key=lambda one: (bool(one.emptied), one.risk, one.loss, one.name))
    true = [one for one in able if one.true and (one.loss or 0.0) < 1]
    least = min((one.loss or 0.0 for one in true), default=1.0)
    most = least + STILL_TRUE * (1 - least)
    true = [one for one in true if (one.loss or 0.0) <= most + 1e-12]
    # A value that is there is true; how many are there, and how many are whole records, decides.
    # A column that is all but empty says nothing true.
    return sorted(
        true,
        key=lambda one: (not one.whole, bool(one.emptied), one.changed, one.loss, one.name),
    )


def offers(
    tried: Sequence[Candidate], confirm: Confirm, over: Callable[[], bool] = lambda: False
) -> list[Offer]:
    """One offer per taste; a recipe that is not confirmed makes room for the next.

    Once time is over, a taste gets the best for it of what was confirmed already, if anything was.
    """
    done: dict[int, Offer | None] = {}
    found: list[Offer] = []
    for taste in TASTES:
        ranked = by_taste(taste, tried)
        late = bool(found) and over()
        for one in [one for one in ranked if id(one) in done] if late else ranked[:MOST_CONFIRMED]:
            if id(one) not in done:
                done[id(one)] = confirm(one)
            offer = done[id(one)]
            if offer is not None:
                found.append(Offer(taste, offer.candidate, offer.release, offer.chosen_by))
                break
    return found
