"""What one release scores on every axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microveil.app.exploration.axes import Axis
from microveil.errors import InputError
from microveil.recipes import Recipe
from microveil.scores import Better, Score
from microveil.tables import Table
from microveil.utility import UtilityMeasure


@dataclass(frozen=True)
class Reading:
    """One number on an axis."""

    value: float
    better: Better = "lower"
    scale: str = "share"
    interval: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        plain = {"value": self.value, "better": self.better, "scale": self.scale}
        return plain if self.interval is None else plain | {"interval": list(self.interval)}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Reading:
        """What :meth:`to_dict` wrote down."""
        ends = plain.get("interval")
        interval = None if ends is None else (float(ends[0]), float(ends[1]))
        return cls(float(plain["value"]), plain["better"], plain["scale"], interval)


def readings_of(
    axes: Sequence[Axis], original: Table, released: Table, recipe: Recipe
) -> tuple[dict[str, Reading], list[str]]:
    """The reading of each axis, and a sentence on each that could not be taken."""
    readings: dict[str, Reading] = {}
    problems: list[str] = []
    taken: dict[str, Score | InputError] = {}
    for axis in axes:
        # Several axes may read parts of one score: it is worked out once.
        measure = Axis(axis.side, axis.measure).label
        if measure not in taken:
            taken[measure] = _score(axis, original, released, recipe)
        try:
            readings[axis.label] = _reading(axis, taken[measure])
        except InputError as error:
            problems.append(f"{axis.label}: {error}")
    return readings, problems


def _score(axis: Axis, original: Table, released: Table, recipe: Recipe) -> Score | InputError:
    """The score, or why there is none."""
    measure = axis.measure
    if "missing" in type(measure).model_fields and "missing" not in measure.model_fields_set:
        # Blanks are read as the recipe reads them when it checks its promises.
        measure = measure.model_copy(update={"missing": recipe.reading})
    try:
        with recipe.beside_its_files():
            if isinstance(measure, UtilityMeasure):
                return measure.score(original, released)
            return measure.score(original if measure.needs_original else None, released)
    except InputError as error:
        return error


def _reading(axis: Axis, score: Score | InputError) -> Reading:
    if isinstance(score, InputError):
        raise score
    value = axis.read(score)
    if not math.isfinite(value):
        raise InputError("no finite number comes of it here.")
    if axis.part is not None:
        return Reading(value, score.better)
    interval = score.interval
    ends = None if interval is None else (float(interval[0]), float(interval[1]))
    return Reading(value, score.better, score.scale, ends)
