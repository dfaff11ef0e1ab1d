"""How two records are compared by column: scaled numbers, categories, labels, gaps."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.pairs.known_columns import Pair
from microveil.risk.linkage.compared import (
    GLANCE,
    Compared,
    Distance,
    RecordComparison,
    Standardize,
    comparison_of,
    mean_difference,
)
from microveil.tables.values import Distinct, as_text

SINGULAR = 1e-10
"""Variances smaller than this beside the largest are rounding."""


def compare(
    pair: Pair,
    standardize: Standardize,
    weights: Mapping[str, float],
    distance: Distance = "euclidean",
) -> RecordComparison:
    """Prepare the columns of a pair for linkage.

    Numbers are divided by their scale in the release, which is what an intruder sees; labels are
    the values they stand for; a column that is constant on either side says nothing and is left
    out. Differences are squared, but for Manhattan's and Gower's distance.
    """
    from microveil.risk.linkage.label_comparison import by_labels

    squared = distance in ("euclidean", "mahalanobis")
    standardize = "range" if distance == "gower" else standardize
    names = telling_columns(pair, weights)
    together = [name for name in names if distance == "mahalanobis" and plain_numbers(pair, name)]

    def compare_column(name: str) -> Compared:
        weight = weights.get(name, 1.0)
        if plain_numbers(pair, name):
            return _by_number(*pair.numbers(name), standardize, weight, squared=squared)
        column = pair.reading.column(name)
        labels = None
        if column.labelled or column.followed.tree:
            labels = by_labels(pair, name, weight, standardize, squared=squared)
        return labels or by_category(pair.before.frame[name], pair.after.frame[name], weight)

    whitened = _whiten(pair, together)
    apart = [name for name in names if name not in together]
    columns = chain(whitened, (compare_column(name) for name in apart))
    return comparison_of(columns, len(whitened) + len(apart), pair.n_records)


def telling_columns(pair: Pair, weights: Mapping[str, float]) -> list[str]:
    """Columns with a weight that distinguish records in both tables."""
    return [name for name in pair.columns if weights.get(name, 1.0) and says_something(pair, name)]


def plain_numbers(pair: Pair, name: str) -> bool:
    """Whether a column is numeric in both tables and shows no labels."""
    return pair.has_numbers(name) and not pair.reading.column(name).labelled


def _whiten(pair: Pair, names: list[str]) -> list[Compared]:
    """Coordinates in which the released numbers have variance one and no correlation.

    Euclidean distances there are Mahalanobis' here. What others determine exactly is left out. A
    record that misses one of the numbers misses all coordinates.
    """
    from microveil.kernels.neighbours.mixed_tree import NUMBER

    if not names:
        return []
    sides = [pair.numbers(name) for name in names]
    before, after = (np.column_stack([one[side] for one in sides]) for side in (0, 1))
    complete = after[~np.isnan(after).any(axis=1)]
    if len(complete) < 2:  # noqa: PLR2004  one record has no covariance
        raise InputError("Mahalanobis' distance needs two records at least that miss no number.")
    middle, unit = complete.mean(axis=0), complete.std(axis=0)
    unit[unit == 0] = 1.0
    scaled_after = (complete - middle) / unit
    spread, axes = np.linalg.eigh(scaled_after.T @ scaled_after / (len(complete) - 1))
    kept = spread > SINGULAR * spread[-1]
    turn = axes[:, kept] / np.sqrt(spread[kept])
    first, second = ((side - middle) / unit @ turn for side in (before, after))
    return [
        Compared(first[:, j], second[:, j], NUMBER, 0.0, 2.0, exact=True)
        for j in range(turn.shape[1])
    ]


def scale_numbers(before: Floats, after: Floats, standardize: Standardize) -> tuple[Floats, Floats]:
    """Numbers of both tables in units of the released column."""
    values = after[~np.isnan(after)]
    if standardize == "rank":
        ranked = np.sort(values)
        return _ranks(before, ranked), _ranks(after, ranked)
    # Centred first, so that small differences around a large mean keep their digits.
    middle, unit = float(values.mean()), _unit(values, standardize)
    return (before - middle) / unit, (after - middle) / unit


def by_category(before: pl.Series, after: pl.Series, weight: float) -> Compared:
    """Codes of the values in both tables; a different value costs the weight."""
    from microveil.kernels.neighbours.mixed_tree import NOMINAL

    first, second, shares = shared_codes(before, after)
    missing = weight * (1 - float((shares**2).sum()))
    return Compared(first, second, NOMINAL, weight, missing, exact=weight > 0)


def shared_codes(before: pl.Series, after: pl.Series) -> tuple[Floats, Floats, Floats]:
    """Equal codes for equal values in both tables, NaN if missing; shares in the release."""
    sides = [Distinct.of(as_text(one).cast(pl.String).alias("x")) for one in (before, after)]
    values = pl.concat([one.values for one in sides]).unique().sort()
    first, second = (
        np.append(values.search_sorted(one.values).to_numpy().astype(np.float64), np.nan)[
            one.of_record
        ]
        for one in sides
    )
    present = second[~np.isnan(second)].astype(np.int64)
    counts = np.bincount(present) if len(present) else np.zeros(1)
    return first, second, counts / max(len(present), 1)


def says_something(pair: Pair, name: str) -> bool:
    """Whether a column distinguishes records in both tables; missing is a value too."""
    return all(_varies(table.frame[name]) for table in (pair.before, pair.after))


def _varies(column: pl.Series) -> bool:
    """Whether a column has two values; a glance at its beginning tells most."""
    # What differs from itself is NaN, of which there may be many.
    glance = {None if cell != cell else cell for cell in column.head(GLANCE).to_list()}  # noqa: PLR0124
    return len(glance) > 1 or column.n_unique() > 1


def _by_number(
    before: Floats, after: Floats, standardize: Standardize, weight: float, *, squared: bool
) -> Compared:
    from microveil.kernels.neighbours.mixed_tree import ABSOLUTE, NUMBER

    first, second = scale_numbers(before, after, standardize)
    if not squared:
        apart = weight * mean_difference(second)
        return Compared(first * weight, second * weight, ABSOLUTE, 0.0, apart, exact=weight > 0)
    # Two records drawn at random are twice the variance apart: a missing cell says no more.
    spread = float(np.nanvar(second)) if not np.isnan(second).all() else 0.0
    root = np.sqrt(weight)
    return Compared(first * root, second * root, NUMBER, 0.0, 2 * spread * weight, exact=weight > 0)


def _unit(values: Floats, standardize: Standardize) -> float:
    unit = 1.0
    if standardize == "sd":
        unit = float(values.std(ddof=1)) if len(values) > 1 else 1.0
    elif standardize == "range":
        unit = float(np.ptp(values))
    elif standardize == "robust":
        unit = 1.4826 * float(np.median(np.abs(values - np.median(values))))
        # If more than half of the values are equal, the median deviation is 0.
        unit = unit if unit > 0 else float(values.std(ddof=1)) if len(values) > 1 else 1.0
    return unit if unit > 0 else 1.0


def _ranks(values: Floats, ranked: Floats) -> Floats:
    """Mid-rank among the released values, as a share; interpolated for values in between."""
    low = np.searchsorted(ranked, values, side="left")
    high = np.searchsorted(ranked, values, side="right")
    return np.where(np.isnan(values), np.nan, (low + high) / (2 * max(len(ranked), 1)))
