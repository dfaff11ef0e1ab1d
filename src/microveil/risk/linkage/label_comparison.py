"""Comparing original values with the labels that a release shows in their place.

An intruder who knows that somebody is 34 looks among the records labelled ``[30, 39]``: the
distance between a label and a value is that of the nearest value it stands for, 0 if it stands for
the value itself. Among labels that stand for the value the narrowest is likeliest, but by so little
that it outweighs nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InputError
from microveil.labels.chances import Cover
from microveil.labels.notation import read_spans
from microveil.pairs.columns import Column
from microveil.pairs.known_columns import Pair
from microveil.pairs.numbers import settle_infinite
from microveil.risk.linkage.compared import Compared, mean_difference
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from microveil.risk.linkage.compared import Standardize


MOST_CELLS = 50_000_000
"""Largest product of distinct values before and distinct labels after that is held as a table."""
NARROW = 1e-9
"""Cost of standing for every value rather than for one."""


def by_labels(
    pair: Pair, name: str, weight: float, standardize: Standardize = "sd", *, squared: bool = True
) -> Compared | None:
    """Values and labels of a column; None where no label can be read."""
    column = pair.reading.column(name)
    if column.ordered:
        return _by_numbers(pair, column, weight, standardize, squared=squared)
    return _by_sets(pair, column, weight, squared=squared)


def agrees_by_labels(pair: Pair, name: str) -> Compared:
    """Whether a label stands for the value; 1 where it does not."""
    from microveil.kernels.neighbours.mixed_tree import TABLE, WITHIN_SPAN

    column = pair.reading.column(name)
    values, labels = pair.codes(name)
    if is_partition(column.cover):
        return _nominal(column.cover, values, labels, 1.0)
    if column.ordered and _single_runs(column.cover):
        spans = _spans(column, column.cover)
        return Compared(
            _numbers(column, values), _codes_or_nan(labels), WITHIN_SPAN, 1.0, 1.0, spans
        )
    _refuse_large(column)
    table = 1.0 - _covers(column.cover, len(column.label_texts))
    return Compared(_codes_or_nan(values), _codes_or_nan(labels), TABLE, 1.0, 1.0, table)


def is_partition(cover: Cover) -> bool:
    """Whether no value is covered by two labels."""
    steps = np.zeros(cover.n_values + 1, dtype=np.int64)
    np.add.at(steps, cover.low, 1)
    np.add.at(steps, cover.high, -1)
    return bool((np.cumsum(steps) <= 1).all())


def _nominal(cover: Cover, values: Longs, labels: Longs, weight: float) -> Compared:
    """Labels that exclude each other: each value belongs to one of them, or to none."""
    from microveil.kernels.neighbours.mixed_tree import NOMINAL

    n_labels = int(max(labels.max(initial=-1), cover.label.max(initial=-1))) + 1
    belongs = n_labels + np.arange(cover.n_values)
    for label, low, high in zip(cover.label, cover.low, cover.high, strict=True):
        belongs[low:high] = label
    present = labels[labels >= 0]
    shares = np.bincount(present) / max(len(present), 1)
    missing = weight * (1 - float((shares**2).sum()))
    first = np.where(values < 0, np.nan, np.append(belongs, -1)[values])
    return Compared(first, _codes_or_nan(labels), NOMINAL, weight, missing, exact=True)


def _by_numbers(
    pair: Pair, column: Column, weight: float, standardize: Standardize, *, squared: bool
) -> Compared | None:
    """Numbers beside labels, in units of the original's standard deviation, or of its range."""
    from microveil.kernels.neighbours.mixed_tree import ABSOLUTE_SPAN, SPAN, TABLE

    cover = column.cover
    spans = _spans(column, cover)
    if np.isnan(spans[:, 0]).all():
        return None
    values, labels = pair.codes(column.name)
    numbers = _numbers(column, values)
    spread = _range(numbers) if standardize == "range" and not squared else _spread(numbers)
    unit = (np.sqrt(weight) if squared else weight) / spread
    alone = is_partition(cover)
    # A missing value is as far away as two random values: twice the variance.
    apart = 2 * weight if squared else mean_difference(numbers * unit)
    shown = _codes_or_nan(labels)
    if not _single_runs(cover) and cover.n_values * len(column.label_texts) <= MOST_CELLS:
        table = _nearest(column, cover, spans) * unit
        table = np.where(np.isnan(table), apart, table**2 if squared else table)
        inside = _covers(cover, len(column.label_texts)) > 0
        narrow = 0.0 if alone else NARROW * weight
        table = np.where(inside, narrow * spans[:, 2], np.maximum(table, 2 * narrow))
        return Compared(_codes_or_nan(values), shown, TABLE, apart, apart, table, exact=alone)
    spans[:, :2] *= unit
    spans[:, 2] *= 0.0 if alone else NARROW * weight
    kind = SPAN if squared else ABSOLUTE_SPAN
    return Compared(numbers * unit, shown, kind, apart, apart, spans, exact=alone)


def _numbers(column: Column, values: Longs) -> Floats:
    return np.append(_value_numbers(column), np.nan)[values]


def _value_numbers(column: Column) -> Floats:
    """The distinct values as numbers, infinite ones beyond all others."""
    return settle_infinite(column.values.cast(pl.Float64).to_numpy())[0]


def _spans(column: Column, cover: Cover) -> Floats:
    """Smallest and largest value of each label, and the share of the values it stands for.

    A label that stands for none has the numbers it describes, or NaN.
    """
    values, n_labels = _value_numbers(column), len(column.label_texts)
    spans = np.full((n_labels, 3), np.nan)
    if len(cover.label):
        low, high = np.full(n_labels, np.inf), np.full(n_labels, -np.inf)
        np.minimum.at(low, cover.label, values[cover.low])
        np.maximum.at(high, cover.label, values[cover.high - 1])
        sizes = np.bincount(cover.label, cover.high - cover.low, minlength=n_labels)
        spans = np.column_stack([low, high, sizes / max(cover.n_values, 1)])
        spans[sizes == 0] = np.nan
    for label in np.flatnonzero(np.isnan(spans[:, 0])):
        ends = [end for span in read_spans(column.label_texts[int(label)]) for end in span[:2]]
        ends = [end for end in ends if np.isfinite(end)]
        spans[label] = (min(ends), max(ends), 0.0) if ends else (np.nan, np.nan, 0.0)
    return spans


def _nearest(column: Column, cover: Cover, spans: Floats) -> Floats:
    """Distance from each value to the nearest value of each label; NaN if it has none."""
    values = _value_numbers(column)
    low, high = spans[:, 0], spans[:, 1]
    table = np.maximum(np.maximum(low - values[:, None], values[:, None] - high), 0.0)
    for label in np.flatnonzero(np.bincount(cover.label, minlength=len(spans)) > 1):
        members = values[cover.members(int(label))]
        after = np.searchsorted(members, values)
        above = np.abs(members[np.minimum(after, len(members) - 1)] - values)
        below = np.abs(members[np.maximum(after - 1, 0)] - values)
        table[:, label] = np.minimum(above, below)
    return table


def _by_sets(pair: Pair, column: Column, weight: float, *, squared: bool) -> Compared | None:
    """Compare categories with sets of categories; with a tree, by the levels up to the nearest."""
    from microveil.kernels.neighbours.mixed_tree import TABLE

    cover, n_labels = column.cover, len(column.label_texts)
    if not len(cover.label):
        return None
    values, labels = pair.codes(column.name)
    tree = column.followed.tree
    small = cover.n_values * n_labels <= MOST_CELLS
    alone = is_partition(cover)
    if alone and not (tree and small):
        return _nominal(cover, values, labels, weight)
    _refuse_large(column)
    inside = _covers(cover, n_labels) > 0
    steps = levels_apart(inside, tree) if tree else np.ones(inside.shape)
    narrow = 0.0 if alone else NARROW * weight
    sizes = np.bincount(cover.label, cover.high - cover.low, minlength=n_labels)
    apart = np.maximum(weight * steps ** (2 if squared else 1), 2 * narrow)
    table = np.where(inside, narrow * sizes / cover.n_values, apart)
    often = np.bincount(labels[labels >= 0], minlength=n_labels)
    known = np.bincount(values[values >= 0], minlength=cover.n_values)
    expected = float(known / max(known.sum(), 1) @ table @ (often / max(often.sum(), 1)))
    return Compared(
        _codes_or_nan(values), _codes_or_nan(labels), TABLE, weight, expected, table, exact=alone
    )


def levels_apart(inside: Flags, tree: Sequence[pl.Series]) -> Floats:
    """Share of the levels to climb from a value until a node holds a value of the label."""
    height = len(tree) - 1
    found = np.ones(inside.shape)
    for level in range(height - 1, 0, -1):
        names, node = np.unique(as_text(tree[level]).to_numpy(), return_inverse=True)
        held = np.zeros((len(names), inside.shape[1]), dtype=np.bool_)
        np.logical_or.at(held, node, inside)
        found[held[node]] = level / height
    return found


def _covers(cover: Cover, n_labels: int) -> Floats:
    """(values, labels) 1 where the label stands for the value."""
    table = np.zeros((cover.n_values + 1, n_labels))
    np.add.at(table, (cover.low, cover.label), 1.0)
    np.add.at(table, (cover.high, cover.label), -1.0)
    return np.cumsum(table, axis=0)[:-1]


def _single_runs(cover: Cover) -> bool:
    return bool((np.bincount(cover.label, minlength=1) <= 1).all())


def _codes_or_nan(codes: Longs) -> Floats:
    """Codes, NaN if missing."""
    return np.where(codes < 0, np.nan, codes)


def _range(numbers: Floats) -> float:
    present = numbers[~np.isnan(numbers)]
    extent = float(np.ptp(present)) if len(present) else 0.0
    return extent if extent > 0 else 1.0


def _spread(numbers: Floats) -> float:
    present = numbers[~np.isnan(numbers)]
    spread = float(present.std(ddof=1)) if len(present) > 1 else 0.0
    return spread if spread > 0 else 1.0


def _refuse_large(column: Column) -> None:
    n_values, n_labels = column.cover.n_values, len(column.label_texts)
    if n_values * n_labels > MOST_CELLS:
        raise InputError(
            "Column '{name}' has {n_values} distinct values before and {n_labels} labels "
            "after that overlap, too many to compare. Leave it out of `columns`.",
            name=column.name,
            n_values=n_values,
            n_labels=n_labels,
        )
