"""Exploration: the scores of every point, the Pareto front, and the best point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.app.exploration.axis_values import AxisValue
from microveil.app.exploration.front import Plane, front
from microveil.errors import InputError

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.release import Release


@dataclass(frozen=True)
class Point:
    """One setting, and its results."""

    number: int
    """Its number in the exploration, from 0."""
    recipe: str
    """Name of the recipe."""
    values: Mapping[str, Any]
    """The parameters of the grid, by path."""
    holds: bool | None = None
    """Whether every requirement is met; None if no release was made."""
    by_axis: Mapping[str, AxisValue] = field(default_factory=dict)
    """Its scores, by axis."""
    seconds: float = 0.0
    problem: str | None = None
    """Why there is no release, or no value on some axis."""

    @property
    def name(self) -> str:
        """The point in words: ``steps.1.k=5``."""
        pairs = [f"{path}={_cell(value)}" for path, value in self.values.items()]
        return ", ".join(pairs) or self.recipe

    def value(self, axis: str) -> float | None:
        """Its number on an axis."""
        return self.by_axis[axis].value if axis in self.by_axis else None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "point": self.number,
            "recipe": self.recipe,
            "values": {path: _plain(value) for path, value in self.values.items()},
            "holds": self.holds,
            "readings": {name: one.to_dict() for name, one in self.by_axis.items()},
            "seconds": round(self.seconds, 3),
            "problem": self.problem,
        }


@dataclass(frozen=True, eq=False)
class Exploration:
    """Risk and utility of one release per point; the first axis of each side forms the map.

    A point *counts* if its requirements hold and both axes have a value. The Pareto front consists
    of the points that count and that no other point dominates (Duncan, Keller-McNulty & Stokes 2001
    draw the same plane as the R-U confidentiality map).
    """

    points: tuple[Point, ...]
    risk: tuple[str, ...]
    """Names of the risk axes, that of the map first."""
    utility: tuple[str, ...]
    """Names of the utility axes, that of the map first."""
    original: Mapping[str, AxisValue] = field(default_factory=dict)
    """The scores of the original itself."""
    cautions: tuple[str, ...] = ()
    ceilings: Mapping[str, float] = field(default_factory=dict)
    """The largest value that the first recipe's requirements accept, by axis."""
    _remake: Callable[[Point], Release] | None = field(default=None, repr=False)

    def __len__(self) -> int:
        """Number of points."""
        return len(self.points)

    def __repr__(self) -> str:
        n_problems = sum(point.problem is not None for point in self.points)
        more = f", {n_problems} with a problem" if n_problems else ""
        return f"Exploration({len(self)} points, {len(self.front)} on the front{more})"

    def name_of(self, point: Point) -> str:
        """A point in words, with its recipe if there are several."""
        if len({one.recipe for one in self.points}) == 1 or point.name == point.recipe:
            return point.name
        return f"{point.recipe}, {point.name}"

    @cached_property
    def plane(self) -> Plane:
        """The two axes of the map, and which direction of each is better."""
        return Plane(
            self.risk[0], self.utility[0], self._better(self.risk[0]), self._better(self.utility[0])
        )

    @property
    def front(self) -> tuple[Point, ...]:
        """The points of the Pareto front, by ascending risk."""
        return self._front

    @cached_property
    def _front(self) -> tuple[Point, ...]:
        return front(self.points, self.plane)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """One row per point: recipe, parameters, whether it holds, every axis, the front."""
        chosen = {point.number for point in self.front}
        several = len({point.recipe for point in self.points}) > 1
        paths = dict.fromkeys(path for point in self.points for path in point.values)
        columns: dict[str, Any] = {"point": [point.number for point in self.points]}
        if several:
            columns["recipe"] = [point.recipe for point in self.points]
        for path in paths:
            columns[path] = _column([point.values.get(path) for point in self.points])
        columns["holds"] = pl.Series([point.holds for point in self.points], dtype=pl.Boolean)
        for axis in (*self.risk, *self.utility):
            values = [point.value(axis) for point in self.points]
            columns[axis] = pl.Series(values, dtype=pl.Float64)
        columns["pareto"] = [point.number in chosen for point in self.points]
        columns["seconds"] = pl.Series([p.seconds for p in self.points], dtype=pl.Float64)
        columns["problem"] = pl.Series([p.problem for p in self.points], dtype=pl.String)
        return pl.DataFrame(columns)

    @property
    def pareto(self) -> pl.DataFrame:
        """The rows of the front, by ascending risk."""
        return self.frame[[point.number for point in self.front]]

    def best(
        self,
        *,
        max_risk: float | None = None,
        max_loss: float | None = None,
        min_utility: float | None = None,
    ) -> Point:
        """The best point under a limit.

        Under ``max_risk``, the most useful point; under ``max_loss`` (or ``min_utility``, if the
        measure grows with utility), the least risky one; under both, the most useful one within
        them. Without limits, the point of the front nearest to the ideal corner, with both axes
        scaled to the range of the front: a starting point, not a verdict.
        """
        return self.plane.best(self.points, self.limits(max_risk, max_loss, min_utility))

    def limits(
        self, max_risk: float | None, max_loss: float | None, min_utility: float | None
    ) -> tuple[float | None, float | None]:
        """The limits on risk and utility, checked against the direction of the axes."""
        return self.plane.limits(**self.with_ceilings(max_risk, max_loss, min_utility))

    def with_ceilings(
        self, max_risk: float | None, max_loss: float | None, min_utility: float | None
    ) -> dict[str, float | None]:
        """The limits; by default the ceilings of the recipe's requirements, if any."""
        if max_risk is None:
            max_risk = self.ceilings.get(self.plane.risk)
        if max_loss is None and min_utility is None and self.plane.utility_better == "lower":
            max_loss = self.ceilings.get(self.plane.utility)
        return {"max_risk": max_risk, "max_loss": max_loss, "min_utility": min_utility}

    def plot(
        self,
        *,
        max_risk: float | None = None,
        max_loss: float | None = None,
        min_utility: float | None = None,
    ) -> Chart:
        """The R-U map, with its limits and the best point under them."""
        from microveil.plots import ru_map_chart

        return ru_map_chart(self, **self.with_ceilings(max_risk, max_loss, min_utility))

    def release(self, point: Point | int) -> Release:
        """The release of a point, made again with the same randomness.

        A point that was read from a folder, without a seed, is drawn anew.
        """
        if isinstance(point, int):
            if not 0 <= point < len(self):
                raise InputError(
                    "No point {point}: they are numbered from 0 to {last}.",
                    point=point,
                    last=len(self) - 1,
                )
            point = self.points[point]
        if self._remake is None:
            raise InputError("This exploration was read without its data: run explore again.")
        return self._remake(point)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: parameters and numbers, no cells and no seed."""
        return {
            "risk": list(self.risk),
            "utility": list(self.utility),
            "points": [point.to_dict() for point in self.points],
            "pareto": [point.number for point in self.front],
            "original": {name: one.to_dict() for name, one in self.original.items()},
            "cautions": list(self.cautions),
            "ceilings": dict(self.ceilings),
        }

    def _repr_html_(self) -> str:
        return str(self.frame._repr_html_())

    def _better(self, axis: str) -> Any:
        told = [self.original, *(point.by_axis for point in self.points)]
        return next((one[axis].better for one in told if axis in one), "lower")


def _plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    return value.item() if hasattr(value, "item") else value


def _cell(value: Any) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(_plain(value), default=str)


def _column(values: Sequence[Any]) -> pl.Series:
    """Parameters as one column: unchanged if they are of one simple type, otherwise as text."""
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or (len(kinds) == 1 and kinds <= {str, bool}):
        return pl.Series(values, strict=False)
    return pl.Series([None if value is None else _cell(value) for value in values], dtype=pl.String)
