"""Columns before and after: bars that a page can draw, counted here and not in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.labels.notation import read_span
from microveil.tables.values import categories

MOST_BARS = 12
"""Bars of one chart; further categories are counted together."""
OTHERS = "…"
MISSING = "∅"
A_FEW = 1_000


@dataclass(frozen=True)
class Bin:
    """A category or a range of numbers, and how many records it has."""

    label: str
    count: int
    low: float | None = None
    high: float | None = None


def bars(column: pl.Series) -> tuple[Bin, ...]:
    """The column as a few bars: numbers by range, anything else by its commonest values."""
    if column.dtype.is_numeric() and _has_many_values(column):
        return number_bars(column)
    return category_bars(column)


def _has_many_values(column: pl.Series) -> bool:
    """Whether there are more values than bars; the first records mostly show it."""
    return column.head(A_FEW).n_unique() > MOST_BARS or column.n_unique() > MOST_BARS


def number_bars(column: pl.Series, n_bins: int = MOST_BARS) -> tuple[Bin, ...]:
    """Numbers in ranges of equal width, missing ones apart."""
    numbers = column.drop_nulls().cast(pl.Float64).drop_nans().to_numpy()
    numbers = numbers[np.isfinite(numbers)]
    missing = _missing(len(column) - len(numbers))
    if not len(numbers):
        return missing
    counts, edges = np.histogram(numbers, bins=n_bins)
    found = tuple(
        Bin(f"{_short(low)}–{_short(high)}", int(count), float(low), float(high))
        for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True)
    )
    return found + missing


def category_bars(column: pl.Series, most: int = MOST_BARS) -> tuple[Bin, ...]:
    """The commonest values, the rest together, missing ones apart."""
    counted = categories(column)
    shown = tuple(Bin(label, count) for label, count in in_order(counted[:most]))
    rest = sum(count for _, count in counted[most:])
    others = (Bin(OTHERS, rest),) if rest else ()
    return shown + others + _missing(column.null_count())


def in_order(counted: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Numbers and ranges of numbers from the lowest to the highest; anything else as it was.

    >>> in_order([("[30, 40)", 5), ("≥40", 2), ("<30", 1)])
    [('<30', 1), ('[30, 40)', 5), ('≥40', 2)]
    """
    spans = [read_span(label) for label, _ in counted]
    found = [(span, one) for span, one in zip(spans, counted, strict=True) if span is not None]
    return [one for _, one in sorted(found)] if len(found) == len(counted) else list(counted)


def _missing(count: int) -> tuple[Bin, ...]:
    return (Bin(MISSING, count),) if count else ()


WHOLE_FROM = 10
"""Limits from here on are shown without decimals."""
COMMA_FROM = 10_000


def _short(number: float) -> str:
    """A limit in a few characters; four digits without a comma, for they may be a year."""
    if abs(number) < WHOLE_FROM and number != round(number):
        return f"{number:.3g}"
    return f"{number:,.0f}" if abs(number) >= COMMA_FROM else f"{number:.0f}"
