"""The scores of one release on every axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from microveil.app.exploration.axes import Axis
from microveil.errors import InputError
from microveil.measures.subject import Subject
from microveil.measures.taking import NOT_FINITE, MeasuresTaken, take
from microveil.recipes import Recipe
from microveil.scores import Better
from microveil.tables import Table
from microveil.texts import compose


@dataclass(frozen=True)
class AxisValue:
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
    def from_dict(cls, plain: dict[str, Any]) -> AxisValue:
        """The inverse of :meth:`to_dict`."""
        ends = plain.get("interval")
        interval = None if ends is None else (float(ends[0]), float(ends[1]))
        return cls(float(plain["value"]), plain["better"], plain["scale"], interval)


def axis_values(
    axes: Sequence[Axis], original: Table, released: Table, recipe: Recipe
) -> tuple[dict[str, AxisValue], list[str]]:
    """The value on each axis, and a sentence on each that could not be taken."""
    # Several axes may show parts of one score, which is computed once.
    measures = {_measure_label(axis): axis.measure for axis in axes}
    subject = Subject.made_by(recipe, original, released)
    taken = take(measures, subject, count_anyway=True)
    values: dict[str, AxisValue] = {}
    problems: list[str] = []
    for axis in axes:
        try:
            values[axis.label] = _value(axis, taken)
        except InputError as error:
            problems.append(compose("{axis}: {told:open}.", axis=axis.label, told=error.message))
    return values, problems


def _measure_label(axis: Axis) -> str:
    return Axis(axis.side, axis.measure).label


def _value(axis: Axis, taken: MeasuresTaken) -> AxisValue:
    name = _measure_label(axis)
    if name in taken.skipped:
        raise InputError(taken.skipped[name])
    score = taken.scores[name]
    value = axis.read(score)
    if not math.isfinite(value):
        raise InputError(NOT_FINITE)
    if axis.part is not None:
        return AxisValue(value, score.better)
    interval = score.interval
    ends = None if interval is None else (float(interval[0]), float(interval[1]))
    return AxisValue(value, score.better, score.scale, ends)
