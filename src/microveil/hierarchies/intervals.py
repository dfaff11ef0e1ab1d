"""Intervals of numbers."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, model_validator

from microveil.hierarchies.base import (
    HierarchyBuilder,
    distinct_values,
    with_star_on_top,
    wrong_kind,
)
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.texts import join, phrase

Closed = Literal["left", "right"]
Numbers = NDArray[np.float64] | NDArray[np.int64]


EXACT = 2.0**61
"""Whole numbers up to this leave room for an origin and a width within int64."""


FINEST = 2.0**52
"""Floats this many widths away from 0 are further apart than the width."""


def _one_or_many(raw: object) -> object:
    return (raw,) if isinstance(raw, int | float) else raw


def _levels(raw: object) -> object:
    flat = isinstance(raw, list | tuple) and raw and not isinstance(raw[0], list | tuple)
    return (raw,) if flat else raw


Width = Annotated[float, Field(gt=0)]
Factor = Annotated[int, Field(ge=2)]


class Intervals(HierarchyBuilder):
    """Numbers to intervals, by cut points or by width, and to wider intervals above.

    Labels are written ``[30, 40)`` (30 is included, 40 is not), ``<20`` and ``≥80``; with
    ``closed: right`` they are ``(30, 40]``, ``≤20`` and ``>80``.
    :meth:`Interval.parse` reads them back.

    >>> ages = Intervals(width=10, factors=[2]).build(pl.Series([34, 41]))
    >>> ages.frame.rows()
    [(34, '[30, 40)', '[20, 40)', '*'), (41, '[40, 50)', '[40, 60)', '*')]
    """

    hierarchy: Literal["intervals"] = "intervals"
    cuts: Annotated[tuple[tuple[float, ...], ...], BeforeValidator(_levels)] = ()
    """Cut points, ascending; a list of lists gives several levels, each a subset of the last."""
    width: Annotated[tuple[Width, ...], BeforeValidator(_one_or_many)] = ()
    """Width of the intervals; a list gives several levels, each a multiple of the last."""
    origin: float = 0
    """Starting point of the intervals of the given width."""
    factors: tuple[Factor, ...] = ()
    """Further levels: how many intervals to merge into one; for cuts, every n-th is kept."""
    bottom: float | None = None
    """With ``width``: values below this form one interval."""
    top: float | None = None
    """With ``width``: values from here upwards form one interval."""
    closed: Closed = "left"
    """Which end is included in an interval."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        problems = [
            text
            for wrong, text in (
                (bool(self.cuts) == bool(self.width), phrase("give either `cuts` or `width`")),
                (
                    self.factors and len(self.cuts or self.width) > 1,
                    phrase("give `factors` or a list of levels, not both"),
                ),
                (
                    self.cuts and (self.bottom is not None or self.top is not None or self.origin),
                    phrase(
                        "`origin`, `bottom` and `top` go with `width`; the outer `cuts` are the "
                        "ends"
                    ),
                ),
                (
                    not _ascending(self.cuts),
                    phrase("`cuts` must be ascending, at least one per level"),
                ),
                (
                    not _selections(self.cuts),
                    phrase("each level of `cuts` must be a subset of the last"),
                ),
                (not _multiples(self.width), phrase("each `width` must be a multiple of the last")),
                (
                    self.bottom is not None and self.top is not None and self.bottom >= self.top,
                    phrase("`bottom` must be less than `top`"),
                ),
            )
            if wrong
        ]
        if problems:
            raise ValueError(
                phrase("Intervals do not fit: {problems}.", problems=join(problems, "; "))
            )  # so that pydantic lists it with the recipe's other problems
        return self

    def build(self, values: pl.Series) -> Hierarchy:
        """Find each number's interval at each level.

        NaN, infinite numbers and floats too large for the width to resolve have none.
        """
        if not values.dtype.is_numeric():
            raise wrong_kind(self, values, phrase("numbers"))
        values = distinct_values(values)
        if not self._exact(values):
            rough = values.cast(pl.Float64)
            largest = FINEST * min(self.width) if self.width else np.inf
            far = pl.Series(np.maximum(rough.abs(), (rough - self.origin).abs()))
            values = values.filter(rough.is_finite() & (far <= largest))
            numbers: Numbers = values.cast(pl.Float64).to_numpy()
        else:
            numbers = values.cast(pl.Int64).to_numpy()
        return with_star_on_top([values, *self._labels(numbers)])

    def _exact(self, values: pl.Series) -> bool:
        """Whether values and limits are whole numbers that fit int64."""
        limits = [*(cut for level in self.cuts for cut in level), *self._widths, self.origin]
        limits += [limit for limit in (self.bottom, self.top) if limit is not None]
        whole = values.dtype.is_integer() and all(
            float(limit).is_integer() and abs(limit) <= EXACT for limit in limits
        )
        return whole and bool((values.cast(pl.Float64).abs() <= EXACT).all())

    def _level_words(self) -> tuple[str, ...]:
        if self.cuts:
            return tuple(f"{len(cuts) + 1} intervals" for cuts in self._all_cuts())
        return tuple(f"width {width:g}" for width in self._widths)

    def _labels(self, numbers: Numbers) -> list[pl.Series]:
        if self.cuts:
            return [self._cut(numbers, level) for level in self._all_cuts()]
        return [self._by_width(numbers, width) for width in self._widths]

    def _all_cuts(self) -> list[tuple[float, ...]]:
        cuts = list(self.cuts)
        for factor in self.factors:
            cuts.append(cuts[-1][::factor])
        return cuts

    @property
    def _widths(self) -> list[float]:
        """The width of each level; none if intervals are cut at given points."""
        widths = list(self.width)
        for factor in self.factors if widths else ():
            widths.append(float(Decimal(str(widths[-1])) * factor))
        return widths

    def _cut(self, numbers: Numbers, cuts: tuple[float, ...]) -> pl.Series:
        edges = np.asarray(cuts, dtype=numbers.dtype)
        side: Closed = "right" if self.closed == "left" else "left"
        place = np.searchsorted(edges, numbers, side=side)
        ends = np.array([-np.inf, *cuts, np.inf])
        return labels_between(ends[place], ends[place + 1], self.closed)

    def _by_width(self, numbers: Numbers, width: float) -> pl.Series:
        low, high = self._edges(numbers, width)
        if self.bottom is not None:
            under = numbers < self.bottom if self.closed == "left" else numbers <= self.bottom
            low = np.where(under, -np.inf, np.maximum(low, self.bottom))
            high = np.where(under, self.bottom, high)
        if self.top is not None:
            over = numbers >= self.top if self.closed == "left" else numbers > self.top
            low = np.where(over, self.top, low)
            high = np.where(over, np.inf, np.minimum(high, self.top))
        return labels_between(low, high, self.closed)

    def _edges(self, numbers: Numbers, width: float) -> tuple[Numbers, Numbers]:
        """Ends of each number's interval on the grid of ``origin`` and ``width``."""
        if numbers.dtype == np.int64:
            step, start = int(width), int(self.origin)
            shift = 0 if self.closed == "left" else 1
            whole = (numbers - start - shift) // step * step + start
            return whole, whole + step
        decimals = max(_decimals(self.origin), *(_decimals(width) for width in self.width))

        def edge(place: NDArray[np.float64]) -> NDArray[np.float64]:
            # The grid is meant in decimals: the third edge of width 0.1 is 0.3, not 0.30…04.
            return np.round(self.origin + place * width, decimals)

        place = np.floor((numbers - self.origin) / width)
        if self.closed == "left":
            place += np.where(numbers >= edge(place + 1), 1.0, 0.0)
            place -= np.where(numbers < edge(place), 1.0, 0.0)
        else:
            place += np.where(numbers > edge(place + 1), 1.0, 0.0)
            place -= np.where(numbers <= edge(place), 1.0, 0.0)
        return edge(place), edge(place + 1)


class Interval(NamedTuple):
    """The numbers between two ends, one of which is included; infinite ends are open."""

    low: float
    high: float
    closed: Closed = "left"

    def label(self) -> str:
        """The interval as written in hierarchies.

        >>> Interval(30, 40).label(), Interval(-np.inf, 20).label(), Interval(80, np.inf).label()
        ('[30, 40)', '<20', '≥80')
        """
        left = self.closed == "left"
        if np.isneginf(self.low):
            return f"{'<' if left else '≤'}{_number(self.high)}"
        if np.isposinf(self.high):
            return f"{'≥' if left else '>'}{_number(self.low)}"
        ends = f"{_number(self.low)}, {_number(self.high)}"
        return f"[{ends})" if left else f"({ends}]"

    @classmethod
    def parse(cls, label: str) -> Interval | None:
        """Parse a label; None if the text is not an interval.

        >>> Interval.parse("≥80")
        Interval(low=80.0, high=inf, closed='left')
        """
        try:
            if both := re.fullmatch(r"(?:\[(.+), (.+)\)|\((.+), (.+)\])", label):
                left, right = both.group(1, 2), both.group(3, 4)
                if left[0] is not None:
                    return cls(float(left[0]), float(left[1]), "left")
                return cls(float(right[0]), float(right[1]), "right")
            if one := re.fullmatch(r"([<≤≥>])(.+)", label):
                end = float(one[2])
                closed: Closed = "left" if one[1] in "<≥" else "right"
                return cls(-np.inf, end, closed) if one[1] in "<≤" else cls(end, np.inf, closed)
        except ValueError:
            return None
        return None


def labels_between(low: Numbers, high: Numbers, closed: Closed) -> pl.Series:
    """The labels of many intervals at once, as :meth:`Interval.label` writes them.

    >>> labels_between(np.array([30, 40]), np.array([40, 50]), "left").to_list()
    ['[30, 40)', '[40, 50)']
    """
    ends = pl.DataFrame(
        {
            "low": _numbers(low),
            "high": _numbers(high),
            "below": np.isneginf(low),
            "above": np.isposinf(high),
        }
    )
    under, over, start, stop = ("<", "≥", "[", ")") if closed == "left" else ("≤", ">", "(", "]")
    label = (
        pl.when("below")
        .then(pl.concat_str(pl.lit(under), "high"))
        .when("above")
        .then(pl.concat_str(pl.lit(over), "low"))
        .otherwise(pl.concat_str(pl.lit(start), "low", pl.lit(", "), "high", pl.lit(stop)))
    )
    return ends.select(label.alias("label")).to_series()


def _numbers(numbers: Numbers) -> pl.Series:
    """Many numbers as :func:`_number` writes each."""
    series = pl.Series(numbers)
    if series.dtype.is_integer():
        return series.cast(pl.String)
    sizes = series.abs()
    whole = (series % 1 == 0) & (sizes < 1e15)  # noqa: PLR2004  as for one number
    usual = sizes.is_between(1e-4, 1e15)  # others are written with an exponent
    texts = pl.select(
        pl.when(whole)
        .then(series.cast(pl.Int64, strict=False).cast(pl.String))
        .when(usual)
        .then(series.cast(pl.String))
    ).to_series()
    rest = texts.is_null().arg_true()
    if not len(rest):
        return texts
    return texts.scatter(rest, [_number(float(one)) for one in series.gather(rest)])


def _number(number: Any) -> str:
    plain = float(number)
    if isinstance(number, int | np.integer):
        return str(int(number))
    return str(int(plain)) if plain.is_integer() and abs(plain) < 1e15 else repr(plain)  # noqa: PLR2004  beyond it a float's last digits mean nothing


def _decimals(number: float) -> int:
    exponent = Decimal(str(number)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _ascending(levels: tuple[tuple[float, ...], ...]) -> bool:
    return all(level and all(a < b for a, b in pairwise(level)) for level in levels)


def _selections(levels: tuple[tuple[float, ...], ...]) -> bool:
    return all(set(coarse) < set(fine) for fine, coarse in pairwise(levels))


def _multiples(widths: tuple[float, ...]) -> bool:
    ratios = [Decimal(str(b)) / Decimal(str(a)) for a, b in pairwise(widths)]
    return all(ratio > 1 and ratio == ratio.to_integral_value() for ratio in ratios)
