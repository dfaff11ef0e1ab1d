"""Roll-up: the classes of generalised keys, merged from the classes of the previous level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from microveil.arrays import Ints, Longs
from microveil.search.lattice.staircases import Staircase, staircase
from microveil.tables.codes import pack

__all__ = ["RollUp", "Staircase", "staircase"]


@dataclass(frozen=True, eq=False)
class RollUp:
    """Classes of records with equal labels; coarser ones are merged from finer ones."""

    stairs: Sequence[Staircase]
    levels: Longs
    """Level of each key."""
    values: tuple[Ints, ...]
    """For each key, a distinct value of each class; its label is that of the whole class."""
    counts: Longs
    """Number of records in each class."""
    of_first: Longs
    """Class of each level-0 class."""
    first_of_record: Longs
    """Level-0 class of each record."""

    @classmethod
    def of(cls, stairs: Sequence[Staircase], counts: Longs | None = None) -> RollUp:
        """The classes of a table's keys as they are; a row is one record unless counts say."""
        values = tuple(stair.distinct.of_record.astype(np.int32) for stair in stairs)
        levels = np.zeros(len(stairs), dtype=np.int64)
        n = len(values[0])
        everyone = np.arange(n)
        each = np.ones(n, dtype=np.int64) if counts is None else counts
        start = cls(stairs, levels, values, each, everyone, everyone)
        merged = start.merge()
        identity = np.arange(len(merged.counts))
        return replace(merged, first_of_record=merged.of_first, of_first=identity)

    @property
    def heights(self) -> Longs:
        """Last level of each key."""
        return np.array([stair.height for stair in self.stairs])

    def of_record(self) -> Ints:
        """Class of each record."""
        return self.of_first[self.first_of_record].astype(np.int32)

    def n_distinct(self) -> Longs:
        """Number of labels of each key that occur."""
        return np.array([np.count_nonzero(np.bincount(labels)) for labels in self._labels()])

    def generalize(self, column: int) -> RollUp:
        """The classes with one key a level higher."""
        levels = self.levels.copy()
        levels[column] += 1
        return replace(self, levels=levels).merge()

    def _labels(self) -> list[Ints]:
        return [
            stair.labels[level][values]
            for stair, level, values in zip(self.stairs, self.levels, self.values, strict=True)
        ]

    def merge(self) -> RollUp:
        """Merge classes with equal labels."""
        frame = pl.DataFrame({str(i): labels for i, labels in enumerate(self._labels())})
        packed = pack(frame, frame.columns).values
        _, example, number = np.unique(packed, return_index=True, return_inverse=True)
        counts = np.bincount(number, weights=self.counts).astype(np.int64)
        values = tuple(column[example] for column in self.values)
        return replace(self, values=values, counts=counts, of_first=number[self.of_first])
