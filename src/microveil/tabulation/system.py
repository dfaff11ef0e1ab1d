"""The linear system of all cells that anyone can add and subtract."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from microveil.arrays import Floats, Longs


@dataclass(frozen=True, eq=False)
class System:
    """Cells and the sums that bind them: in each equation the parts add up to their total.

    >>> system = System.of(np.array([3.0, 1.0, 2.0]), totals=[0], parts=[[1, 2]])
    >>> system.n_cells, system.n_equations, system.is_additive()
    (3, 1, True)
    """

    values: Floats
    """The true value of each cell."""
    matrix: sparse.csr_array
    """One row per equation: 1 for each part, −1 for the total."""

    @classmethod
    def of(cls, values: Floats, totals: list[int], parts: list[list[int]]) -> System:
        """The system of equations given as a total and its parts."""
        rows = np.repeat(np.arange(len(totals)), [len(some) for some in parts])
        children = np.array([cell for some in parts for cell in some], dtype=np.int64)
        return cls.of_pairs(values, np.array(totals, dtype=np.int64), rows, children)

    @classmethod
    def of_pairs(cls, values: Floats, totals: Longs, rows: Longs, children: Longs) -> System:
        """The system of a total per equation, and pairs of an equation and one of its parts."""
        n = len(totals)
        data = np.concatenate([np.ones(len(children)), -np.ones(n)])
        places = (
            np.concatenate([rows, np.arange(n, dtype=np.int64)]),
            np.concatenate([children, totals]),
        )
        matrix = sparse.csr_array((data, places), shape=(n, len(values)))
        return cls(np.asarray(values, dtype=np.float64), matrix)

    @property
    def n_cells(self) -> int:
        """Number of cells."""
        return len(self.values)

    @property
    def n_equations(self) -> int:
        """Number of equations."""
        return int(self.matrix.shape[0])

    @cached_property
    def by_cell(self) -> sparse.csc_array:
        """The same matrix, stored by cells."""
        return self.matrix.tocsc()

    def residuals(self) -> Floats:
        """How far the parts of each equation miss their total."""
        return np.asarray(self.matrix @ self.values)

    def is_additive(self, tolerance: float = 1e-6) -> bool:
        """Whether all parts add up, but for rounding of the arithmetic."""
        return not self.gaps(tolerance).size

    def gaps(self, tolerance: float = 1e-6) -> Longs:
        """The equations that do not add up."""
        size = np.asarray(abs(self.matrix) @ np.abs(self.values))
        return np.flatnonzero(np.abs(self.residuals()) > tolerance * np.maximum(size, 1.0))
