"""Marginals: counts of records by the codes of some columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.synthesis.private.junction_tree import Clique


@dataclass(frozen=True, eq=False)
class CodedTable:
    """Records as codes: one row of the array per column, codes from 0 to the column's size."""

    codes: Ints
    sizes: tuple[int, ...]

    @property
    def n_records(self) -> int:
        """Number of records."""
        return int(self.codes.shape[1])

    def counts(self, columns: Clique) -> Longs:
        """Number of records in each cell of a marginal, the last column varying fastest.

        >>> table = CodedTable(np.array([[0, 0, 1], [1, 1, 0]], dtype=np.int32), (2, 2))
        >>> table.counts((0, 1)).tolist()
        [0, 2, 1, 0]
        """
        cells = np.bincount(self.cells(columns), minlength=n_cells(self.sizes, columns))
        return cells.astype(np.int64)

    def cells(self, columns: Clique) -> Longs:
        """Position of each record's cell in a marginal."""
        place = np.zeros(self.n_records, dtype=np.int64)
        for column in columns:
            place *= self.sizes[column]
            place += self.codes[column]
        return place


@dataclass(frozen=True, eq=False)
class Measurement:
    """A noisy marginal."""

    columns: Clique
    values: Floats
    """Noisy counts, one axis per column."""
    variance: Floats
    """Variance of each count's noise."""

    def combine(self, other: Measurement) -> Measurement:
        """Two measurements of the same marginal combined, weighted by precision."""
        variance = 1 / (1 / self.variance + 1 / other.variance)
        values = variance * (self.values / self.variance + other.values / other.variance)
        return Measurement(self.columns, values, variance)


def n_cells(sizes: Sequence[int], columns: Clique) -> int:
    """Number of cells of a marginal."""
    return prod(sizes[column] for column in columns)


def shape_of(sizes: Sequence[int], columns: Clique) -> tuple[int, ...]:
    """Length of each axis of a marginal."""
    return tuple(sizes[column] for column in columns)


def summed_axes(columns: Clique, kept: Clique) -> tuple[int, ...]:
    """Axes of a marginal that must be summed to keep some of its columns."""
    return tuple(axis for axis, column in enumerate(columns) if column not in kept)


def spread_shape(sizes: Sequence[int], columns: Clique, within: Clique) -> tuple[int, ...]:
    """Shape in which a marginal is broadcast over a larger one."""
    return tuple(sizes[column] if column in columns else 1 for column in within)
