"""How two records are compared by column: scaled numbers, categories, hierarchies, gaps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import InputError
from microveil.pairs.known_columns import Pair
from microveil.pairs.numbers import Numbers
from microveil.tables.kinds import numbers_of
from microveil.tables.values import Distinct, as_text, rows_of

if TYPE_CHECKING:
    from microveil.hierarchies import Hierarchy
    from microveil.kernels.neighbours.mixed_tree import Metric

Standardize = Literal["sd", "range", "robust", "rank", "none"]
"""Unit of numeric differences."""

HALF = 0.5
"""Levels are whole numbers: half a level lies between two of them."""
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


class Comparison(NamedTuple):
    """All columns: original records as queries, released records as candidates."""

    queries: Numbers
    records: Numbers
    metric: Metric


def compare(
    pair: Pair,
    standardize: Standardize,
    weights: Mapping[str, float],
    hierarchies: Mapping[str, Hierarchy],
) -> Comparison:
    """Prepare the columns of a pair for linkage.

    Numbers are divided by their scale in the release, which is what an intruder sees. Labels are
    read as the values they stand for. A column that is constant in either table is uninformative
    and left out.
    """
    from microveil.risk.linkage.label_comparison import by_labels

    columns = []
    for name in pair.columns:
        weight = weights.get(name, 1.0)
        before, after = pair.before.frame[name], pair.after.frame[name]
        if weight == 0 or not says_something(pair, name):
            continue
        if name in hierarchies:
            columns.append(by_hierarchy(before, after, hierarchies[name], weight))
        elif pair.has_numbers(name):
            columns.append(_by_number(numbers_of(before), numbers_of(after), standardize, weight))
        else:
            columns.append(by_labels(pair, name, weight) or by_category(before, after, weight))
    return comparison_of(columns, pair.n_records)


def comparison_of(
    columns: list[Compared], n_records: int, widths: list[float] | None = None
) -> Comparison:
    """The columns side by side, with their metric."""
    from microveil.kernels.neighbours.mixed_tree import Metric

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
    if not columns:
        return Comparison(np.zeros((n_records, 0)), np.zeros((n_records, 0)), metric)
    queries = np.column_stack([column.before for column in columns])
    return Comparison(queries, np.column_stack([column.after for column in columns]), metric)


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
    sides = pl.concat([as_text(before).to_frame("x"), as_text(after).to_frame("x")])
    codes = sides["x"].rank("dense").cast(pl.Float64).fill_null(float("nan")).to_numpy() - 1
    first, second = codes[: len(before)], codes[len(before) :]
    present = second[~np.isnan(second)].astype(np.int64)
    counts = np.bincount(present) if len(present) else np.zeros(1)
    return first, second, counts / max(len(present), 1)


def says_something(pair: Pair, name: str) -> bool:
    """Whether a column distinguishes records in both tables; missing is a value too."""
    return all(t.frame[name].n_unique() > 1 for t in (pair.before, pair.after))


def _by_number(
    before: Numbers, after: Numbers, standardize: Standardize, weight: float
) -> Compared:
    from microveil.kernels.neighbours.mixed_tree import NUMBER

    first, second = scaled(before, after, standardize)
    # Two random records differ by twice the variance, and a missing cell tells no more than that.
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
    before: pl.Series, after: pl.Series, hierarchy: Hierarchy, weight: float
) -> Compared:
    """Lowest level at which both values share a label, over the highest level, squared.

    A released label may be a node of any level: it stands for all values below it.
    """
    from microveil.kernels.neighbours.mixed_tree import TABLE

    first, values = _coded(before)
    second, labels = _coded(after)
    _refuse_large(before.name, values, labels)
    table = weight * _levels_apart(values, labels, hierarchy) ** 2
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
