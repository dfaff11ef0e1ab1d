"""Prices: what each requirement costs, and which to relax by how much if nothing fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microveil.app.advising.candidates import AS_IT_IS, Candidate, Verdict
from microveil.app.advising.goal import Requirement
from microveil.recipes import MeasureRequirement
from microveil.texts import Message


@dataclass(frozen=True)
class Price:
    """The least loss with a requirement, and without it."""

    place: int
    title: str
    with_it: float | None
    without: float | None

    @property
    def cost(self) -> float | None:
        """The loss that the requirement causes; None if either side was not reached."""
        if self.with_it is None or self.without is None:
            return None
        return max(self.with_it - self.without, 0.0)

    def sentence(self) -> str:
        """The price in words."""
        if self.cost is None:
            return Message(
                "advise.price_unknown",
                "{title}: what it costs is not known, for nothing that was tried meets it.",
                title=self.title,
            )
        return Message(
            "advise.price",
            "{title} costs {cost:.3g}: without it the loss would be {without:.3g} instead of "
            "{with_it:.3g}.",
            title=self.title,
            cost=self.cost,
            without=self.without,
            with_it=self.with_it,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "requirement": str(self.title),
            "with_it": self.with_it,
            "without": self.without,
            "cost": self.cost,
        }


@dataclass(frozen=True)
class Relaxation:
    """A requirement that stands in the way, and how far it would have to give."""

    title: str
    required: float
    reached: float
    loss: float

    def sentence(self) -> str:
        """What to relax, to what, and what it would cost then."""
        return Message(
            "advise.relax",
            "Relax '{title}' from {required:.4g} to {reached:.4g}: all other requirements are met "
            "then, with a loss of {loss:.3g}.",
            title=self.title,
            required=self.required,
            reached=self.reached,
            loss=self.loss,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "requirement": str(self.title),
            "required": self.required,
            "reached": self.reached,
            "loss": self.loss,
        }


def prices(require: Sequence[Requirement], tried: Sequence[Candidate]) -> tuple[Price, ...]:
    """What each requirement costs, by the recipes that were tried on all records.

    Nothing is said of one that every recipe was made for: what there is without it, none shows.
    """
    able = [one for one in tried if one.loss is not None and not one.forbidden]
    least = _least(able, None)
    plain = any(one.family == AS_IT_IS for one in able)
    broken = {each.place for one in able for each in one.verdicts if not each.holds}
    return tuple(
        Price(place, _title(one, place, able), least, _least(able, place))
        for place, one in enumerate(require)
        if plain or place in broken
    )


def _least(able: Sequence[Candidate], without: int | None) -> float | None:
    """The least loss of those that meet every requirement, but for one that is left aside."""
    losses = [
        one.loss
        for one in able
        if one.loss is not None
        and all(each.holds for each in one.verdicts if each.place != without)
    ]
    return min(losses, default=None)


def _title(required: Requirement, place: int, able: Sequence[Candidate]) -> str:
    """As the checks call it."""
    if isinstance(required, MeasureRequirement):
        return required.limits[0].words
    titles = [each.title for one in able for each in one.verdicts if each.place == place]
    return titles[0] if titles else required.kind()


def relaxations(tried: Sequence[Candidate]) -> tuple[Relaxation, ...]:
    """For each requirement that alone stands in the way, the smallest step that would do."""
    best: dict[int, tuple[float, Relaxation]] = {}
    for one in tried:
        broken = [each for each in one.verdicts if not each.holds]
        places = {each.place for each in broken}
        if one.loss is None or one.forbidden or len(places) != 1:
            continue
        worst = max(broken, key=lambda each: each.shortfall)
        step = (worst.shortfall, _relaxation(worst, one.loss))
        place = worst.place
        if abs(worst.achieved) < float("inf") and (place not in best or step[0] < best[place][0]):
            best[place] = step
    return tuple(found for _, found in sorted(best.values(), key=lambda pair: pair[0]))


def _relaxation(verdict: Verdict, loss: float) -> Relaxation:
    return Relaxation(verdict.title, verdict.required, verdict.achieved, loss)
