"""Distribution: how often each sensitive value occurs in each class, beside the whole table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.populations.compatible import matched_entries
from microveil.tables import Classes, LazyTable, Table
from microveil.tables.door import refuse_nested
from microveil.tables.values import Distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

DENSE = 4
"""Counting in an array of all pairs of class and value pays up to this many cells per record…"""
SMALL = 1 << 20
"""…or while the array is this small."""


@dataclass(frozen=True, eq=False)
class Distribution:
    """The sensitive values of each class; one entry per pair of class and value that occurs.

    A missing value is a value of its own, the last. Where classes read a missing key as a
    wildcard, a class holds the values of all records that it cannot be told from.
    """

    column: str
    classes: NDArray[np.int64]
    """Class of each entry, ascending; every class has at least one."""
    values: NDArray[np.int64]
    """Code of the value of each entry, ascending within a class."""
    counts: NDArray[np.int64]
    totals: NDArray[np.int64]
    """Records of each value in the whole table."""
    labels: pl.Series | None
    """The values in the order of their codes; none where the classes came without a table."""
    n_classes: int

    @property
    def n_values(self) -> int:
        """Distinct values in the whole table, missing included."""
        return len(self.totals)

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """First entry of each class."""
        return np.flatnonzero(np.diff(self.classes, prepend=-1))

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Records of each class."""
        return np.add.reduceat(self.counts, self.starts) if len(self.starts) else self.starts

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Each entry's share of its class."""
        return self.counts / self.sizes[self.classes]

    @cached_property
    def table_shares(self) -> NDArray[np.float64]:
        """Each entry's value's share of the whole table."""
        return (self.totals / max(int(self.totals.sum()), 1))[self.values]

    def per_class(self, of_entry: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the entries of each class."""
        summed = np.bincount(self.classes, weights=of_entry, minlength=self.n_classes)
        return summed.astype(np.float64, copy=False)

    def largest(self, of_entry: NDArray[np.float64]) -> NDArray[np.float64]:
        """Largest over the entries of each class."""
        return np.maximum.reduceat(of_entry, self.starts) if len(self.starts) else of_entry


def distribution(classes: Classes, column: str) -> Distribution:
    """Count a sensitive column in each class.

    A pass over the records; memory of three numbers per record at the most.
    """
    table = classes.table
    if table is None:
        return _unlabelled(classes, column)
    table.require([column])
    if isinstance(table, LazyTable):
        of_record, values, weights = _streamed(classes, table, column)
    else:
        refuse_nested(table.frame, [column], "A sensitive column")
        of_record, values, weights = classes.record_class, table.frame[column], None
    codes, labels = ordered_codes(values)
    n_values = len(labels)
    entries = _count_pairs(of_record, codes, n_values, classes.n_classes, weights)
    totals = np.bincount(entries[1], weights=entries[2], minlength=n_values).astype(np.int64)
    if classes.missing == "wildcard":
        entries = matched_entries(classes.keys, *entries)
    return Distribution(column, *entries, totals, labels, classes.n_classes)


def ordered_codes(values: pl.Series) -> tuple[NDArray[np.int64], pl.Series]:
    """Each record's place in the order of the values, and the values; missing comes last.

    >>> codes, labels = ordered_codes(pl.Series([30, None, 10]))
    >>> codes.tolist(), labels.to_list()
    ([1, 2, 0], [10, 30, None])
    """
    distinct = Distinct.of(values)
    order = distinct.values.arg_sort().to_numpy()
    place = np.empty(len(order) + 1, dtype=np.int64)
    place[order] = np.arange(len(order))
    place[-1] = len(order)
    labels = distinct.values.gather(pl.Series(order, dtype=pl.UInt32))
    if distinct.n_missing:
        labels = labels.extend_constant(None, 1)
    return place[distinct.of_record], labels


def record_classes(classes: Classes) -> NDArray[np.int64]:
    """Class of each record, also of a table that is streamed."""
    table = classes.table
    if not isinstance(table, LazyTable):
        return classes.record_class
    keys = table.plan.select(pl.col(classes.columns), pl.lit(0).alias("__any"))
    return _numbered(classes, keys.collect(engine="streaming"))["__class"].to_numpy()


def table_of(classes: Classes, model: str) -> Table | LazyTable:
    """The table that was counted; an error where a model cannot do without."""
    if classes.table is None:
        raise InputError(f"{model} looks at records, but only counts of classes are at hand.")
    return classes.table


Entries = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]


def _count_pairs(
    of_record: NDArray[np.int64],
    codes: NDArray[np.int64],
    n_values: int,
    n_classes: int,
    weights: NDArray[np.int64] | None,
) -> Entries:
    """Classes, values and counts of the pairs that occur, in order."""
    n_cells = n_classes * max(n_values, 1)
    pairs = of_record * max(n_values, 1) + codes
    if n_cells <= max(DENSE * len(pairs), SMALL):
        cells = np.bincount(pairs, weights=weights, minlength=n_cells)
        there = np.flatnonzero(cells)
        counts = cells[there].astype(np.int64, copy=False)
    elif weights is None:
        there, counts = np.unique(pairs, return_counts=True)
    else:
        order = np.argsort(pairs)  # a plan's pairs are counted already: each occurs once
        there, counts = pairs[order], weights[order]
    held, values = np.divmod(there, max(n_values, 1))
    return held, values, counts


def _streamed(
    classes: Classes, table: LazyTable, column: str
) -> tuple[NDArray[np.int64], pl.Series, NDArray[np.int64]]:
    """Class, value and number of each pair of a plan."""
    value = pl.col(column).alias("__value")
    refuse_nested(table.plan.head(0).collect(), [column], "A sensitive column")
    pairs = table.plan.group_by(*classes.columns, value).agg(pl.len().cast(pl.Int64).alias("__n"))
    found = _numbered(classes, pairs.collect(engine="streaming"))
    return found["__class"].to_numpy(), found["__value"].alias(column), found["__n"].to_numpy()


def _numbered(classes: Classes, rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with keys, each with the number of its class."""
    if not classes.columns:
        return rows.with_columns(pl.lit(0, dtype=pl.Int64).alias("__class"))
    numbered = classes.keys.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("__class"))
    return rows.join(
        numbered, on=classes.columns, how="left", nulls_equal=True, maintain_order="left"
    )


def _unlabelled(classes: Classes, column: str) -> Distribution:
    """From counts alone: the values have codes but no names."""
    found = classes.histogram(column)
    entries: Entries = (found.classes, found.values, found.counts)
    totals = np.bincount(found.values, weights=found.counts, minlength=found.n_values)
    if classes.missing == "wildcard":
        entries = matched_entries(classes.keys, *entries)
    return Distribution(column, *entries, totals.astype(np.int64), None, classes.n_classes)
