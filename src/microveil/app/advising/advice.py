"""Advice: the recipes on offer, with reasons, prices and the map of everything tried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from microveil.app.advising.candidates import Candidate
from microveil.app.advising.choosing import Offer, Taste
from microveil.app.advising.goal import Goal
from microveil.app.advising.prices import Price, Relaxation
from microveil.app.exploration.axis_values import AxisValue
from microveil.app.exploration.result import Exploration, Point
from microveil.display import Card, Shown, grid
from microveil.errors import GoalNotReachedError, InputError
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.texts import Message, join

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

TITLES: Mapping[Taste, str] = {
    "useful": Message("advise.useful", "most useful"),
    "safest": Message("advise.safest", "safest"),
    "truest": Message("advise.truest", "truest"),
}
RISK, LOSS = "risk", "loss"


@dataclass(frozen=True, eq=False, repr=False)
class Advice(Shown):
    """What a search for a goal found: three recipes for three tastes, or what stands in the way.

    ``recipes`` has them by taste; a recipe may be best for several. ``candidates`` are all that
    were tried on all records, the best first. No value of a record is in here, but the releases.
    """

    goal: Goal
    asked_for: Recipe
    """Roles and requirements that were asked for."""
    candidates: tuple[Candidate, ...]
    offers: tuple[Offer, ...] = field(default=(), repr=False)
    prices: tuple[Price, ...] = ()
    relaxations: tuple[Relaxation, ...] = ()
    why: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Reasons for each recipe on offer, by taste."""
    cautions: tuple[str, ...] = ()
    n_sampled: int = 0
    """Trials on samples."""
    stopped: bool = False
    """Whether the seconds were over before the work was done: another run may find more."""
    original: tuple[float, float] | None = None
    """Risk and loss of the table as it is, without identifiers."""

    @property
    def best(self) -> Candidate | None:
        """The most useful recipe that meets everything; None if there is none."""
        return next((one.candidate for one in self.offers if one.taste == "useful"), None)

    @property
    def holds(self) -> bool:
        """Whether there is a recipe that meets the goal."""
        return bool(self.offers)

    def offer(self, taste: str) -> Offer:
        """The offer for a taste: ``useful``, ``safest`` or ``truest``."""
        for one in self.offers:
            if one.taste == taste:
                return one
        raise GoalNotReachedError(
            Message(
                "advise.no_such_offer",
                "There is no {taste} recipe: {problem}",
                taste=taste,
                problem=self.problem
                or Message("advise.none_is_true", "none that was tried leaves every value true."),
            )
        )

    @property
    def recipe(self) -> Recipe:
        """The most useful recipe."""
        return self.offer("useful").candidate.recipe

    @property
    def release(self) -> Release:
        """The release of the most useful recipe."""
        release = self.offer("useful").release
        if release is None:
            raise InputError("The data were set aside. Run the recipe to make the release again.")
        return release

    def without_data(self) -> Advice:
        """The same advice without the releases: figures, reasons and recipes alone."""
        return replace(self, offers=tuple(replace(one, release=None) for one in self.offers))

    @property
    def recipes(self) -> dict[str, Recipe]:
        """The recipes on offer, by taste."""
        return {one.taste: one.candidate.recipe for one in self.offers}

    @property
    def problem(self) -> str:
        """Why there is no recipe, and which requirement to relax by how much; empty if one is."""
        if self.offers:
            return ""
        none = Message(
            "advise.nothing_fits",
            "None of the {n} recipes that were tried meets every requirement.",
            n=len(self.candidates),
        )
        failed = [one.problem for one in self.candidates if one.problem]
        if failed and len(failed) == len(self.candidates):
            return join([none, failed[0]])
        relax = [one.sentence() for one in self.relaxations] or [
            Message(
                "advise.relax_several",
                "More than one requirement stands in the way: relax the strictest first.",
            )
        ]
        return join([none, *relax])

    def fits(self, recipe: Recipe) -> bool:
        """Whether roles and requirements of a recipe are still those that were asked for."""
        asked = self.asked_for
        same = recipe.roles == asked.roles and recipe.missing == asked.missing
        return same and (recipe.require == asked.require or not asked.require)

    @cached_property
    def map(self) -> Exploration:
        """Everything that was tried on all records, by risk and loss."""
        points = [_point(number, one) for number, one in enumerate(self.candidates)]
        corner = {}
        if self.original is not None:
            corner = dict(zip((RISK, LOSS), map(AxisValue, self.original), strict=True))
        return Exploration(points=tuple(points), risk=(RISK,), utility=(LOSS,), original=corner)

    def plot(self) -> Chart:
        """The R-U map of everything that was tried."""
        return self.map.plot()

    def card(self) -> Card:
        """The offers with their figures, then reasons and prices."""
        lines = [self.problem] if self.problem else []
        lines += [*self.why.get("useful", ()), *(one.sentence() for one in self.prices)]
        rows = [
            (TITLES[one.taste], one.candidate.name, one.candidate.loss, one.candidate.risk)
            for one in self.offers
        ]
        grids = (grid(("taste", "recipe", "loss", "risk"), rows),) if rows else ()
        n = len(self.candidates)
        return Card(
            f"Advice from {n:,} {'recipe' if n == 1 else 'recipes'} tried",
            (*lines, *self.cautions),
            grids,
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "goal": self.goal.to_dict(),
            "holds": self.holds,
            "problem": str(self.problem),
            "offers": {one.taste: self._offer(one) for one in self.offers},
            "prices": [one.to_dict() for one in self.prices],
            "relax": [one.to_dict() for one in self.relaxations],
            "cautions": list(map(str, self.cautions)),
            "n_tried": len(self.candidates),
            "n_sampled": self.n_sampled,
            "stopped": self.stopped,
            "tried": [one.to_dict() for one in self.candidates],
        }

    def _offer(self, one: Offer) -> dict[str, Any]:
        release = one.release
        checks = [] if release is None else [check.to_dict() for check in release.checks]
        return one.candidate.to_dict() | {
            "recipe": one.candidate.recipe.to_dict(),
            "checks": checks,
            "reasons": list(map(str, self.why.get(one.taste, ()))),
            "chosen_by": {"risk": one.chosen_by.risk, "loss": one.chosen_by.loss},
        }

    def write(self, folder: str | Path) -> list[Path]:
        """Write the recipes (``useful.yaml`` …), all figures and the report; return the files."""
        from microveil.app.advising.writing import write_advice

        return write_advice(self, Path(folder))

    def report(self, path: str | Path, *, language: str = "en") -> Path:
        """Write one HTML page: the recipes, their verdicts, the map, reasons and prices."""
        from microveil.app.advising.writing import write_page

        return write_page(self, Path(path), language)


def _point(number: int, one: Candidate) -> Point:
    by_axis = {}
    if one.risk is not None and one.loss is not None:
        by_axis = {RISK: AxisValue(one.risk), LOSS: AxisValue(one.loss)}
    problem = str(one.problem or one.forbidden) or None
    return Point(number, one.name, {}, holds=one.holds, by_axis=by_axis, problem=problem)
