"""How two records are compared by column: scaled numbers, categories, hierarchies, gaps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import InputError
from microveil.pairs.known_columns import Pair
from microveil.pairs.numbers import Numbers, number_matrix
from microveil.tables.kinds import numbers_of
from microveil.tables.values import Distinct, as_text, rows_of

if TYPE_CHECKING:
    from microveil.hierarchies import Hierarchy
    from microveil.kernels.neighbours.mixed_tree import Metric

Standardize = Literal["sd", "range", "robust", "rank", "none"]
"""What a difference of numbers is measured in."""
Distance = Literal["euclidean", "manhattan", "gower", "mahalanobis"]
"""How the columns' differences make one distance."""

HALF = 0.5
"""Levels are whole numbers: half a level is between two of them."""
SINGULAR = 1e-10
"""Variances smaller than this beside the largest are rounding."""
MOST_PAIRS = 50_000_000
"""Largest product of distinct values before and distinct labels after, with a hierarchy."""


class Compared(NamedTuple):
    """One column in both tables, and the cost of its differences."""

    before: Numbers
    after: Numbers
    kind: int
    cost: float
    missing: float
    """Distance between a missing and a non-missing cell."""
    table: Numbers | None = None


class RecordComparison(NamedTuple):
    """All columns: original records as queries, released records as candidates."""

    queries: Numbers
    records: Numbers
    metric: Metric


def compare(
    pair: Pair,
    standardize: Standardize,
    weights: Mapping[str, float],
    hierarchies: Mapping[str, Hierarchy],
    distance: Distance = "euclidean",
) -> RecordComparison:
    """Prepare the columns of a pair for linkage.

    Numbers are divided by their scale in the release, which is what an intruder sees; labels are
    read as the values they stand for; a column that is constant on either side says nothing and is
    left out. Differences are squared, but for Manhattan's and Gower's distance.
    """
    from microveil.risk.linkage.label_comparison import by_labels

    squared = distance in ("euclidean", "mahalanobis")
    standardize = "range" if distance == "gower" else standardize
    names = [name for name in pair.columns if weights.get(name, 1.0) and says_something(pair, name)]
    together = [
        name
        for name in names
        if distance == "mahalanobis" and name not in hierarchies and pair.has_numbers(name)
    ]

    def compared(name: str) -> Compared:
        weight = weights.get(name, 1.0)
        before, after = pair.before.frame[name], pair.after.frame[name]
        if name in hierarchies:
            return by_hierarchy(before, after, hierarchies[name], weight, squared=squared)
        if pair.has_numbers(name):
            sides = numbers_of(before), numbers_of(after)
            return _by_number(*sides, standardize, weight, squared=squared)
        labels = by_labels(pair, name, weight, standardize, squared=squared)
        return labels or by_category(before, after, weight)

    whitened = _whitened(pair, together)
    apart = [name for name in names if name not in together]
    columns = chain(whitened, (compared(name) for name in apart))
    return comparison_of(columns, len(whitened) + len(apart), pair.n_records)


def _whitened(pair: Pair, names: list[str]) -> list[Compared]:
    """Coordinates in which the released numbers have variance one and no correlation.

    Euclidean distances there are Mahalanobis' here. What others determine exactly is left out. A
    record that misses one of the numbers misses all coordinates.
    """
    from microveil.kernels.neighbours.mixed_tree import NUMBER

    if not names:
        return []
    before, after = (
        number_matrix([side.frame[name] for name in names], "C")
        for side in (pair.before, pair.after)
    )
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
    return [Compared(first[:, j], second[:, j], NUMBER, 0.0, 2.0) for j in range(turn.shape[1])]


def comparison_of(
    made: Iterable[Compared], n_columns: int, n_records: int, widths: list[float] | None = None
) -> RecordComparison:
    """The columns side by side, with their metric; each is needed only until the next one."""
    from microveil.kernels.neighbours.mixed_tree import Metric

    queries, records = np.zeros((n_records, n_columns)), np.zeros((n_records, n_columns))
    columns = []
    for place, column in enumerate(made):
        queries[:, place], records[:, place] = column.before, column.after
        columns.append(column._replace(before=queries[:, place], after=records[:, place]))
    tables = [np.zeros(0) if column.table is None else column.table for column in columns]
    starts = np.cumsum([0, *(table.size for table in tables)])[: len(tables)]
    metric = Metric(
        np.array([column.kind for column in columns], dtype=np.int32),
        np.array([column.cost for column in columns], dtype=np.float64),
        np.array([0.0] * len(columns) if widths is None else widths, dtype=np.float64),
        np.array([column.missing for column in columns], dtype=np.float64),
        np.concatenate([np.zeros(0), *(table.ravel() for table in tables)]),
        starts.astype(np.int64),
        np.array([0 if t.ndim < 2 else t.shape[1] for t in tables], dtype=np.int64),  # noqa: PLR2004  a table has two axes
    )
    return RecordComparison(queries, records, metric)


def scaled(before: Numbers, after: Numbers, standardize: Standardize) -> tuple[Numbers, Numbers]:
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
    return Compared(first, second, NOMINAL, weight, weight * (1 - float((shares**2).sum())))


def shared_codes(before: pl.Series, after: pl.Series) -> tuple[Numbers, Numbers, Numbers]:
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
    return all(t.frame[name].n_unique() > 1 for t in (pair.before, pair.after))


def mean_difference(numbers: Numbers) -> float:
    """Mean difference, without its sign, of two numbers drawn at random (Gini).

    >>> mean_difference(np.array([1.0, 3.0]))
    1.0
    """
    present = np.sort(numbers[~np.isnan(numbers)])
    n = len(present)
    if n == 0:
        return 0.0
    return float(2 * ((2 * np.arange(1, n + 1) - n - 1) @ present) / n**2)


def _by_number(
    before: Numbers, after: Numbers, standardize: Standardize, weight: float, *, squared: bool
) -> Compared:
    from microveil.kernels.neighbours.mixed_tree import ABSOLUTE, NUMBER

    first, second = scaled(before, after, standardize)
    if not squared:
        apart = weight * mean_difference(second)
        return Compared(first * weight, second * weight, ABSOLUTE, 0.0, apart)
    # Two records drawn at random are twice the variance apart: a missing cell says no more.
    spread = float(np.nanvar(second)) if not np.isnan(second).all() else 0.0
    root = np.sqrt(weight)
    return Compared(first * root, second * root, NUMBER, 0.0, 2 * spread * weight)


def _unit(values: Numbers, standardize: Standardize) -> float:
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


def _ranks(values: Numbers, ranked: Numbers) -> Numbers:
    """Mid-rank among the released values, as a share; interpolated for values in between."""
    low = np.searchsorted(ranked, values, side="left")
    high = np.searchsorted(ranked, values, side="right")
    return np.where(np.isnan(values), np.nan, (low + high) / (2 * max(len(ranked), 1)))


def by_hierarchy(
    before: pl.Series,
    after: pl.Series,
    hierarchy: Hierarchy,
    weight: float,
    *,
    squared: bool = True,
) -> Compared:
    """The lowest level at which both values have one label, over the highest level, squared or not.

    A released label may be a node of any level: it stands for all values below it.
    """
    from microveil.kernels.neighbours.mixed_tree import TABLE

    first, values = _coded(before)
    second, labels = _coded(after)
    _refuse_large(before.name, values, labels)
    table = weight * _levels_apart(values, labels, hierarchy) ** (2 if squared else 1)
    counts = np.bincount(second[~np.isnan(second)].astype(np.int64), minlength=len(labels))
    expected = float((table @ (counts / max(counts.sum(), 1))).mean()) if table.size else 0.0
    return Compared(first, second, TABLE, weight, expected, table)


def agrees_by_hierarchy(before: pl.Series, after: pl.Series, hierarchy: Hierarchy) -> Compared:
    """Whether the released label stands for the original value."""
    from microveil.kernels.neighbours.mixed_tree import TABLE

    first, values = _coded(before)
    second, labels = _coded(after)
    _refuse_large(before.name, values, labels)
    lowest = _places(labels, hierarchy)[1]
    apart = _levels_apart(values, labels, hierarchy) * hierarchy.height
    table = (apart > lowest[None, :] + HALF).astype(np.float64)
    return Compared(first, second, TABLE, 1.0, 1.0, table)


def _refuse_large(name: str, values: pl.Series, labels: pl.Series) -> None:
    if len(values) * len(labels) > MOST_PAIRS:
        raise InputError(
            f"Column '{name}' has {len(values)} distinct values before and {len(labels)} "
            "after, too many to compare by a hierarchy. Compare it without one."
        )


def _coded(column: pl.Series) -> tuple[Numbers, pl.Series]:
    """Position of each value among the distinct ones, NaN if missing."""
    distinct = Distinct.of(column)
    codes = distinct.of_record.astype(np.float64)
    return np.where(codes == len(distinct.values), np.nan, codes), distinct.values


def _levels_apart(values: pl.Series, labels: pl.Series, hierarchy: Hierarchy) -> Numbers:
    """Share of levels to climb until two values meet; 1 for unlisted values."""
    rows = rows_of(values, hierarchy.values)
    places, lowest = _places(labels, hierarchy)
    found = np.ones((len(values), len(labels)))
    for level in range(hierarchy.height - 1, -1, -1):
        names = hierarchy.codes[:, level]
        same = names[rows][:, None] == names[places][None, :]
        same &= (rows >= 0)[:, None] & ((places >= 0) & (lowest <= level))[None, :]
        found[same] = level / hierarchy.height
    alike = as_text(values).to_numpy()[:, None] == as_text(labels).to_numpy()[None, :]
    found[alike] = 0.0
    return found


def _places(labels: pl.Series, hierarchy: Hierarchy) -> tuple[NDArray[np.int32], Numbers]:
    """A value below each label, −1 if there is none, and the level of the label."""
    places = rows_of(labels, hierarchy.values)
    lowest = np.zeros(len(labels))
    for level in range(1, hierarchy.n_levels):
        names = hierarchy.labels(level)
        examples = np.unique(hierarchy.codes[:, level], return_index=True)[1]
        code = rows_of(labels, names)
        new = (places < 0) & (code >= 0)
        places = np.where(new, examples[np.maximum(code, 0)], places)
        lowest = np.where(new, level, lowest)
    return places.astype(np.int32), lowest
