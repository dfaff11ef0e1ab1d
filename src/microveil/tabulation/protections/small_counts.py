"""Small-count rounding: small inner cells become 0 or the base, and all sums are sums of these."""

from __future__ import annotations

from itertools import product
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field
from scipy import sparse

from microveil.arrays import Floats, Longs
from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tabulation.cells import Cells
from microveil.tabulation.protections.suppression.move_space import move_space

MOST_EXCHANGES = 2_000
SMALLEST_GAIN = 1e-9
NOT_ONE = (
    "Small counts are rounded in one table that has all variables and codes: add it, the other "
    "tables are sums of it."
)


class RoundSmallCounts(Spec):
    """Round inner counts below a base to 0 or the base, so that every margin is their exact sum.

    Which of them go up is chosen so that margins stay close to the truth (Langsrud & Heldal 2018).
    Inner counts from the base on stay as they are.
    """

    tag: ClassVar[str | None] = "protection"
    protection: Literal["round_small_counts"] = "round_small_counts"
    base: int = Field(default=3, ge=2)
    """Smallest positive inner count that is published."""

    def round_values(self, cells: Cells) -> Floats:
        """The published value of each cell."""
        values = cells.values
        if (values != np.round(values)).any() or (values < 0).any():
            raise InputError("Rounding small counts needs whole numbers: a table of counts.")
        inner, above = sums_of_inner(cells)
        if np.abs(above @ values[inner] - values).any():
            raise InputError(NOT_ONE)
        small = (values[inner] > 0) & (values[inner] < self.base)
        rounded = np.where(small, 0.0, values[inner])
        rounded[small] = self.base * self._choose(above[:, small], values[inner][small])
        return np.asarray(above @ rounded)

    def _choose(self, above: sparse.csr_array, values: Floats) -> Floats:
        """Which small cells go up: one after the other where it helps the margins most."""
        up = np.zeros(len(values))
        if not len(values):
            return up
        lines = above.tocsc()
        sizes = np.diff(lines.indptr).astype(np.float64)
        error = -np.asarray(above @ values)
        for _ in range(round(float(values.sum()) / self.base)):
            change = self.base * (2 * np.asarray(lines.T @ error) + self.base * sizes)
            best = int(np.argmin(np.where(up > 0, np.inf, change)))
            if up[best]:
                break
            up[best] = 1.0
            error[_column(lines, best)] += self.base
        return self._exchange(lines, up, error)

    def _exchange(self, lines: sparse.csc_array, up: Floats, error: Floats) -> Floats:
        """Exchange a cell that went up for one that did not, while the margins get closer."""
        sizes = np.diff(lines.indptr).astype(np.float64)
        for _ in range(MOST_EXCHANGES):
            slope = 2 * np.asarray(lines.T @ error)
            raising = np.where(up > 0, np.inf, self.base * (slope + self.base * sizes))
            falling = np.where(up > 0, self.base * (self.base * sizes - slope), np.inf)
            one, other = int(np.argmin(falling)), int(np.argmin(raising))
            shared = len(np.intersect1d(_column(lines, one), _column(lines, other)))
            gain = falling[one] + raising[other] - 2 * self.base**2 * shared
            if gain > -SMALLEST_GAIN:
                break
            up[one], up[other] = 0.0, 1.0
            error[_column(lines, one)] -= self.base
            error[_column(lines, other)] += self.base
        return up


def _column(lines: sparse.csc_array, number: int) -> Longs:
    return np.asarray(lines.indices[lines.indptr[number] : lines.indptr[number + 1]])


def sums_of_inner(cells: Cells) -> tuple[Longs, sparse.csr_array]:
    """The inner cells of the table that has all variables, and of which each cell is the sum."""
    variables = {name for table in cells.tables for name in table.tabulation.by}
    whole = [
        number for number, one in enumerate(cells.tables) if set(one.tabulation.by) == variables
    ]
    space = move_space(cells) if whole else None
    if space is None:
        raise InputError(NOT_ONE)
    chains = space.chains[whole[0]]
    leaves = np.column_stack(
        [space.leaf_of[j, space.nodes[:, j]] for j in range(space.nodes.shape[1])]
    )
    inner = np.flatnonzero((leaves >= 0).all(axis=1))
    keys = space.nodes.astype(np.int64) @ space.strides
    order = np.argsort(keys)
    rows, columns = [], []
    for depths in product(range(chains.shape[2]), repeat=len(space.strides)):
        key, there = np.zeros(len(inner), dtype=np.int64), np.ones(len(inner), dtype=np.bool_)
        for j, depth in enumerate(depths):
            node = chains[j, leaves[inner, j], depth]
            there &= node >= 0
            key += node.astype(np.int64) * space.strides[j]
        at = np.minimum(np.searchsorted(keys, key, sorter=order), len(keys) - 1)
        there &= keys[order[at]] == key
        rows.append(order[at[there]])
        columns.append(np.flatnonzero(there))
    at, of = np.concatenate(rows), np.concatenate(columns)
    shape = (cells.n_cells, len(inner))
    return inner, sparse.csr_array((np.ones(len(at)), (at, of)), shape=shape)
