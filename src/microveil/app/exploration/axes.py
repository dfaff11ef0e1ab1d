"""Axes: the measures taken at every point, given as text or as specs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from microveil.errors import InputError
from microveil.measures.base import Measure
from microveil.measures.naming import Named, number_of, read_name
from microveil.risk import RISK_MEASURES, RiskMeasure
from microveil.scores import Score
from microveil.specs import Registry
from microveil.utility import UTILITY_MEASURES, UtilityMeasure

Wanted: TypeAlias = "str | Mapping[str, Any] | Measure"
"""A measure as named by a caller."""
Side = Literal["risk", "utility"]

REGISTRIES: dict[Side, Registry[Any]] = {"risk": RISK_MEASURES, "utility": UTILITY_MEASURES}


@dataclass(frozen=True)
class Axis:
    """One measure, or one part of it, that is taken at every point."""

    side: Side
    measure: Measure
    part: str | None = None
    """Name of a sub-value, such as ``average_risk``; None for the score itself."""

    @cached_property
    def label(self) -> str:
        """The text that names this axis, and its column in the results."""
        # Only what was set, even to its default: if unset, missing keys follow the recipe.
        set_here = self.measure.model_fields_set - {"name"}
        given = self.measure.model_dump(mode="json", include=set_here)
        pieces = [self.measure.kind() + (f".{self.part}" if self.part else "")]
        pieces += [f"{name}={_text(value)}" for name, value in given.items()]
        return ":".join(pieces)

    def read(self, score: Score) -> float:
        """The value of a score on this axis."""
        return number_of(score, self.part)


def parse_axes(wanted: Wanted | Sequence[Wanted], side: Side) -> tuple[Axis, ...]:
    """The axes named by a caller: text, mappings or specs, one or several.

    >>> [axis.label for axis in parse_axes("class_sizes.average_risk:missing=wildcard", "risk")]
    ['class_sizes.average_risk:missing=wildcard']
    """
    one = isinstance(wanted, str | Mapping | RiskMeasure | UtilityMeasure)
    several: Iterable[Any] = [wanted] if one else wanted
    axes = tuple(_axis(text, side) for text in several)
    if not axes:
        raise InputError("Name at least one {side} measure, or leave the choice open.", side=side)
    return axes


def _axis(wanted: Any, side: Side) -> Axis:
    kind: type[Any] = RiskMeasure if side == "risk" else UtilityMeasure
    if isinstance(wanted, kind):
        return Axis(side, wanted)
    if not isinstance(wanted, str | Mapping):
        raise InputError(
            "A {side} measure is named by a text such as 'il1s', or by its spec.", side=side
        )
    named = read_name(wanted) if isinstance(wanted, str) else Named.of(wanted)
    plain = {"name": named.name, **named.settings}
    return Axis(side, REGISTRIES[side].parse(plain), named.part)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
