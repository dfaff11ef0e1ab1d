"""The risk-utility plane: the Pareto front, and the best point under a limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from microveil.errors import InputError
from microveil.scores import Better
from microveil.texts import join, phrase


class Placed(Protocol):
    """A point that may lie on the plane."""

    @property
    def number(self) -> int:
        """Its number in the exploration."""

    @property
    def name(self) -> str:
        """The point in words."""

    @property
    def holds(self) -> bool | None:
        """Whether its requirements are met."""

    def value(self, axis: str) -> float | None:
        """Its number on an axis."""


PointT = TypeVar("PointT", bound=Placed)
Limits = tuple[float | None, float | None]


@dataclass(frozen=True)
class Plane:
    """Two axes and which direction of each is better."""

    risk: str
    utility: str
    risk_better: Better = "lower"
    utility_better: Better = "lower"

    def cost(self, point: Placed) -> tuple[float, float] | None:
        """Risk and loss of a point that counts; smaller is better for both."""
        risk, utility = point.value(self.risk), point.value(self.utility)
        if not point.holds or risk is None or utility is None:
            return None
        return _cost(risk, self.risk_better), _cost(utility, self.utility_better)

    def limits(
        self, max_risk: float | None, max_loss: float | None, min_utility: float | None
    ) -> Limits:
        """The limits of both axes; a limit of the wrong kind is refused."""
        if max_loss is not None and min_utility is not None:
            raise InputError("Limit utility by max_loss or by min_utility, not by both.")
        wrong = min_utility if self.utility_better == "lower" else max_loss
        if wrong is not None:
            lower = self.utility_better == "lower"
            kind, other = (
                (phrase("a loss"), "max_loss") if lower else (phrase("a gain"), "min_utility")
            )
            raise InputError(
                "{utility} measures {kind}: limit it by {other}.",
                utility=self.utility,
                kind=kind,
                other=other,
            )
        return max_risk, max_loss if max_loss is not None else min_utility

    def best(self, points: Sequence[PointT], limits: Limits) -> PointT:
        """The best point within the limits."""
        costs = {i: cost for i, one in enumerate(points) if (cost := self.cost(one)) is not None}
        if not costs:
            raise InputError(
                "No point meets the requirements and can be measured on both axes; "
                "see the column `problem`."
            )
        bounds = (_bound(limits[0], self.risk_better), _bound(limits[1], self.utility_better))
        within = {i: cost for i, cost in costs.items() if _inside(cost, bounds)}
        if not within:
            raise InputError(self._out_of_reach(costs, bounds))
        if limits == (None, None):
            return points[_nearest_to_ideal(within)]
        # Under a limit on risk, utility decides; under one on utility alone, risk does.
        first, second = (1, 0) if limits[0] is not None else (0, 1)
        return points[min(within, key=lambda i: (within[i][first], within[i][second], i))]

    def _out_of_reach(
        self, costs: dict[int, tuple[float, float]], bounds: tuple[float, float]
    ) -> str:
        nearest = []
        reachable = []
        hints = (phrase("Try stronger settings."), phrase("Try weaker settings."))
        for axis, name, better in (
            (0, self.risk, self.risk_better),
            (1, self.utility, self.utility_better),
        ):
            if math.isfinite(bounds[axis]):
                reached = _cost(min(cost[axis] for cost in costs.values()), better)
                limit = _cost(bounds[axis], better)
                nearest.append(
                    phrase(
                        "{name} reaches {reached:.4g} at best, limit {limit:.4g}",
                        name=name,
                        reached=reached,
                        limit=limit,
                    )
                )
                if min(cost[axis] for cost in costs.values()) > bounds[axis]:
                    reachable.append(hints[axis])
        # Risk falls with strength, loss with weakness; where each limit alone can be met, neither
        # helps, for no point meets both.
        hint = reachable[0] if len(reachable) == 1 else phrase("Relax a limit.")
        return phrase(
            "No point meets the limits: {nearest}. {hint}", nearest=join(nearest, "; "), hint=hint
        )


def _cost(value: float, better: Better) -> float:
    return value if better == "lower" else -value


def _bound(limit: float | None, better: Better) -> float:
    return math.inf if limit is None else _cost(limit, better)


def _inside(cost: tuple[float, float], bounds: tuple[float, float]) -> bool:
    # A small tolerance: a risk of 1/10 is within a limit of 0.1 however it was rounded.
    return all(
        value <= bound + 1e-12 * max(1.0, abs(bound))
        for value, bound in zip(cost, bounds, strict=True)
    )


def front(points: Sequence[PointT], plane: Plane) -> tuple[PointT, ...]:
    """The points that no other one dominates, by ascending risk; equal points stay together."""
    costs = [(cost, i) for i, one in enumerate(points) if (cost := plane.cost(one)) is not None]
    chosen: list[int] = []
    least = math.inf
    for cost, i in sorted(costs):
        tied = bool(chosen) and plane.cost(points[chosen[-1]]) == cost
        if cost[1] < least or tied:
            chosen.append(i)
            least = cost[1]
    return tuple(points[i] for i in chosen)


def _nearest_to_ideal(costs: dict[int, tuple[float, float]]) -> int:
    """The point nearest to the ideal corner, with both axes scaled to the range of the front."""
    edges = _front_of(costs)
    lows = [min(cost[axis] for cost in edges) for axis in (0, 1)]
    spans = [max(cost[axis] for cost in edges) - lows[axis] for axis in (0, 1)]

    def distance(cost: tuple[float, float]) -> float:
        scaled = [
            (value - low) / span if span > 0 else value - low
            for value, low, span in zip(cost, lows, spans, strict=True)
        ]
        return math.hypot(*scaled)

    return min(costs, key=lambda i: (distance(costs[i]), i))


def _front_of(costs: dict[int, tuple[float, float]]) -> list[tuple[float, float]]:
    edges: list[tuple[float, float]] = []
    for cost in sorted(costs.values()):
        if not edges or cost[1] < edges[-1][1]:
            edges.append(cost)
    return edges
