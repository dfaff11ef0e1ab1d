"""Space: the lattice of a table's keys, encoded once: distinct rows, labels, sensitive values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.errors import InputError
from microveil.hierarchies import HierarchyBuilder, Types, Unlisted
from microveil.search.lattice.staircases import Staircase, staircase
from microveil.tables import Table
from microveil.tables.values import Distinct

if TYPE_CHECKING:
    from microveil.kernels.lattice.groups import Groups, Layout
    from microveil.kernels.lattice.losses import Scales


WORD = 63
"""Bits of a word available for labels."""

Levels = tuple[int, ...]
"""A level for each key: a node of the lattice."""


@dataclass(frozen=True, eq=False)
class SensitiveColumn:
    """A sensitive column as numbers; its values are numbered from ``first``, in order."""

    name: str
    codes: Ints
    """Value of each record, in the order of the values; missing comes last."""
    labels: pl.Series
    first: int

    @property
    def last(self) -> int:
        """One past the number of its last value."""
        return self.first + len(self.labels)


@dataclass(frozen=True, eq=False)
class Space:
    """All generalisations of a table's keys, and what is needed to evaluate them.

    Encoding scans the records once per column; everything after it sees distinct rows only.
    """

    stairs: tuple[Staircase, ...]
    lowest: Levels
    highest: Levels
    sensitive: tuple[SensitiveColumn, ...]
    n_records: int
    base: Groups
    """Classes at the lowest levels."""
    base_of_record: Ints
    """Class of each record at the lowest levels."""
    layout: Layout
    counts: Longs | None = None
    """Records that each row of the table stands for; one each by default."""

    @classmethod
    def of(  # noqa: PLR0913  all but three have a default
        cls,
        table: Table,
        keys: Sequence[str],
        hierarchies: Mapping[str, HierarchyBuilder],
        *,
        unlisted: Unlisted = "error",
        sensitive: Sequence[str] = (),
        lowest: Mapping[str, int | str] | None = None,
        highest: Mapping[str, int | str] | None = None,
        counts: Longs | None = None,
    ) -> Space:
        """Encode a table's keys along their hierarchies; by their types where there is none.

        ``counts`` are the records that each row stands for, where the table is one of distinct
        rows: the lattice is then that of all records.
        """
        builders = [hierarchies.get(name, Types()) for name in keys]
        stairs = tuple(
            staircase(table.frame[name], builder, unlisted)
            for name, builder in zip(keys, builders, strict=True)
        )
        low = tuple(_level(stair, (lowest or {}).get(stair.name), 0) for stair in stairs)
        high = tuple(
            _level(stair, (highest or {}).get(stair.name), stair.height) for stair in stairs
        )
        for stair, least, most in zip(stairs, low, high, strict=True):
            if least > most:
                raise InputError(
                    "Key '{name}' must be generalised to at least level {least} and at most "
                    "level {most}. Give it a range of levels.",
                    name=stair.name,
                    least=least,
                    most=most,
                )
        columns = _sensitive(table, sensitive)
        layout = _layout(stairs)
        base, of_record = _base(stairs, low, layout, columns, counts)
        n_records = table.height if counts is None else int(counts.sum())
        return cls(stairs, low, high, columns, n_records, base, of_record, layout, counts)

    @property
    def names(self) -> tuple[str, ...]:
        """The keys."""
        return tuple(stair.name for stair in self.stairs)

    @property
    def n_nodes(self) -> int:
        """Number of generalisations."""
        return math.prod(
            high - low + 1 for low, high in zip(self.lowest, self.highest, strict=True)
        )

    @property
    def n_values(self) -> int:
        """Number of sensitive values of all columns together."""
        return self.sensitive[-1].last if self.sensitive else 0

    @cached_property
    def n_leaves(self) -> NDArray[np.float64]:
        """Number of values that each key's hierarchy lists."""
        return np.array([float(stair.n_leaves) for stair in self.stairs])

    @cached_property
    def value_counts(self) -> tuple[NDArray[np.float64], ...]:
        """For each key, the number of records with each distinct value; missing comes last."""
        return tuple(
            np.bincount(
                stair.distinct.of_record, weights=self.counts, minlength=stair.labels.shape[1]
            ).astype(float)
            for stair in self.stairs
        )

    def scales(self, *, logarithms: bool = False) -> Scales:
        """The share of its key's values that each label covers, or its decimal logarithm."""
        from microveil.kernels.lattice.losses import Scales

        deepest = max(stair.height for stair in self.stairs) + 1
        start = np.zeros((len(self.stairs), deepest), dtype=np.int64)
        parts: list[NDArray[np.float64]] = []
        lost: list[NDArray[np.float64]] = []
        end = 0
        for key, stair in enumerate(self.stairs):
            least = min(1 / stair.n_leaves, 0.5)  # a single value can only lose to `*`
            for level in range(stair.height + 1):
                labels = stair.labels[level]
                of_label = np.ones(int(labels.max()) + 1)
                of_label[labels] = stair.shares[level]
                start[key, level] = end
                parts.append(np.log10(of_label) if logarithms else of_label)
                lost.append(np.log1p(np.maximum(of_label - least, 0.0) / (1 - least)))
                end += len(of_label)
        return Scales(start, np.concatenate(parts), np.concatenate(lost), self.n_leaves)

    def classes_at(self, levels: Sequence[int]) -> tuple[Groups, Ints]:
        """The classes of a node, and the class of each record."""
        from microveil.kernels.lattice.groups import rolled_up

        low, high = np.array(self.lowest), np.array(levels, dtype=np.int64)
        groups, numbers = rolled_up(self.base, self.layout, low, high, self.n_values)
        return groups, numbers[self.base_of_record]


def _level(stair: Staircase, level: int | str | None, default: int) -> int:
    """A level given by number or name, as a number."""
    if level is None:
        return default
    if stair.hierarchy is None:
        return min(int(level), stair.height) if str(level).isdecimal() else default
    return stair.hierarchy.level_index(level)


def _sensitive(table: Table, names: Sequence[str]) -> tuple[SensitiveColumn, ...]:
    columns: list[SensitiveColumn] = []
    first = 0
    for name in names:
        table.require([name])
        distinct = Distinct.of(table.frame[name])
        order = distinct.values.arg_sort().to_numpy()
        place = np.empty(len(order) + 1, dtype=np.int32)
        place[order] = np.arange(len(order))
        place[-1] = len(order)
        labels = distinct.values.gather(pl.Series(order, dtype=pl.UInt32)).alias(name)
        if distinct.n_missing:
            labels = labels.extend_constant(None, 1)
        columns.append(SensitiveColumn(name, place[distinct.of_record], labels, first))
        first = columns[-1].last
    return tuple(columns)


def _layout(stairs: Sequence[Staircase]) -> Layout:
    """Bit fields for the labels of each key, and the tables that lift them."""
    from microveil.kernels.lattice.groups import Layout

    widths = [max(int(stair.labels.max()).bit_length(), 1) for stair in stairs]
    word, shift = np.zeros(len(stairs), np.int64), np.zeros(len(stairs), np.int64)
    here, bit = 0, 0
    for key, width in enumerate(widths):
        if bit + width > WORD:
            here, bit = here + 1, 0
        word[key], shift[key] = here, bit
        bit += width
    mask = np.array([(1 << width) - 1 for width in widths], dtype=np.uint64)
    deepest = max(stair.height for stair in stairs) + 1
    start = np.zeros((len(stairs), deepest, deepest), dtype=np.int64)
    parts: list[Ints] = []
    end = 0
    for key, stair in enumerate(stairs):
        for low in range(stair.height):
            own, above = stair.labels[low], stair.labels[low + 1 :]
            width = int(own.max()) + 1
            lifted = np.zeros((len(above), width), dtype=np.int32)
            lifted[:, own] = above
            start[key, low, low + 1 : stair.height + 1] = end + width * np.arange(len(above))
            parts.append(lifted.ravel())
            end += lifted.size
    return Layout(word, shift, mask, start, np.concatenate([np.empty(0, np.int32), *parts]))


def _base(
    stairs: Sequence[Staircase],
    lowest: Levels,
    layout: Layout,
    sensitive: Sequence[SensitiveColumn],
    of_rows: Longs | None,
) -> tuple[Groups, Ints]:
    """The classes at the lowest levels, and the class of each row."""
    from microveil.kernels.lattice.groups import Groups, merged_entries, number_groups

    n = len(stairs[0].distinct.of_record)
    words = np.zeros((n, int(layout.word.max()) + 1), dtype=np.uint64)
    for key, stair in enumerate(stairs):
        labels = stair.labels[lowest[key]].astype(np.uint64) << np.uint64(layout.shift[key])
        words[:, layout.word[key]] |= labels[stair.distinct.of_record]
    numbers, first = number_groups(words)
    counts = np.bincount(numbers, weights=of_rows, minlength=len(first)).astype(np.int64)
    if not sensitive:
        nothing = np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.int64)
        return Groups(words[first], counts, *nothing), numbers
    # Each row is a group of its own first, with one value for each sensitive column.
    values = np.column_stack([column.codes + np.int32(column.first) for column in sensitive])
    starts = np.arange(n + 1, dtype=np.int64) * len(sensitive)
    each = np.ones(n, np.int64) if of_rows is None else of_rows
    records = Groups(words, each, starts, values.ravel(), np.repeat(each, len(sensitive)))
    entries = merged_entries(records, numbers, len(first), sensitive[-1].last)
    return Groups(words[first], counts, *entries), numbers
