"""Comparing original values with the labels that a release shows in their place.

An intruder who knows that somebody is 34 looks among the records labelled ``[30, 39]``: the
distance between a label and a value is that of the nearest value it stands for. Among labels that
cover the value the narrowest is likeliest, but by so little that it outweighs nothing else.
"""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.labels.chances import NumberLabels, TextLabels
from microveil.pairs.columns import Column, read_column
from microveil.pairs.known_columns import Pair
from microveil.pairs.numbers import Numbers
from microveil.risk.linkage.distances import Compared, Standardize, mean_difference

MOST_CELLS = 20_000_000
"""Largest product of distinct categories before and distinct sets after."""
NARROW = 1e-9
"""Cost of standing for every value rather than for one."""


def by_labels(
    pair: Pair, name: str, weight: float, standardize: Standardize = "sd", *, squared: bool = True
) -> Compared | None:
    """Values and labels of a column; none where the release shows no labels that can be read."""
    column = read_column(pair.before.frame[name], pair.after.frame[name])
    labels = column.labels
    if isinstance(labels, NumberLabels):
        return _by_spans(column, labels, weight, standardize, squared=squared)
    if isinstance(labels, TextLabels):
        return _by_sets(column, labels, weight)
    return None


def _by_spans(
    column: Column, labels: NumberLabels, weight: float, standardize: Standardize, *, squared: bool
) -> Compared | None:
    """Numbers beside spans, in units of the original's standard deviation, or of its range."""
    from microveil.kernels.neighbours.mixed_tree import ABSOLUTE_SPAN, SPAN

    if not labels.readable.any():
        return None
    numbers = column.original.cast(pl.Float64).fill_null(np.nan).to_numpy()
    spread = _range(numbers) if standardize == "range" and not squared else _spread(numbers)
    unit = (np.sqrt(weight) if squared else weight) / spread
    spans = np.array([_within(labels, label) for label in range(labels.n_labels)])
    spans[:, :2] *= unit
    spans[:, 2] *= NARROW * weight
    if not squared:
        apart = mean_difference(numbers * unit)
        return Compared(numbers * unit, _shown(column), ABSOLUTE_SPAN, apart, apart, spans)
    # A missing value is as far away as two random values: twice the variance.
    return Compared(numbers * unit, _shown(column), SPAN, 2 * weight, 2 * weight, spans)


def _range(numbers: Numbers) -> float:
    present = numbers[~np.isnan(numbers)]
    extent = float(np.ptp(present)) if len(present) else 0.0
    return extent if extent > 0 else 1.0


def _spread(numbers: Numbers) -> float:
    present = numbers[~np.isnan(numbers)]
    spread = float(present.std(ddof=1)) if len(present) > 1 else 0.0
    return spread if spread > 0 else 1.0


def _within(labels: NumberLabels, label: int) -> tuple[float, float, float]:
    """Smallest and largest value of a label, and the share of the values it stands for."""
    runs = labels.cover.runs(label)
    low, high = labels.cover.low[runs], labels.cover.high[runs]
    n_values = max(len(labels.values), 1)
    if len(low):
        share = float((high - low).sum()) / n_values
        return float(labels.values[low.min()]), float(labels.values[high.max() - 1]), share
    here = labels.pieces.label == label
    if not here.any():
        return np.nan, np.nan, 0.0
    ends = labels.pieces.low[here].min(), labels.pieces.high[here].max()
    return float(ends[0]), float(ends[1]), 1 / n_values


def _by_sets(column: Column, labels: TextLabels, weight: float) -> Compared | None:
    """Compare categories with sets of categories."""
    from microveil.kernels.neighbours.mixed_tree import TABLE

    n_values, n_labels = len(column.values), len(labels.covers)
    if all(len(cover) <= 1 for cover in labels.covers) or n_values * n_labels > MOST_CELLS:
        return None
    table = np.full((n_values, n_labels), weight)
    for label, cover in enumerate(labels.covers):
        table[cover, label] = NARROW * weight * len(cover) / n_values
    shown = column.codes[1]
    often = np.bincount(shown[shown >= 0], minlength=n_labels)
    expected = float((table @ (often / max(often.sum(), 1))).mean())
    values = np.where(column.codes[0] < 0, np.nan, column.codes[0])
    return Compared(values, _shown(column), TABLE, weight, expected, table)


def _shown(column: Column) -> Numbers:
    """Codes of the labels, NaN if missing."""
    return np.where(column.codes[1] < 0, np.nan, column.codes[1])
