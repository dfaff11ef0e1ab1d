"""The thesis' data sets: 20 of independent columns, 6 of dependent ones, and Adult."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import polars as pl

Growth = Literal["linear", "quadratic"]

GROWTHS: tuple[Growth, ...] = ("linear", "quadratic")
SIZES = (1_000, 10_000, 100_000)
LARGEST_QUADRATIC = 10_000
"""Beyond, squares grew too large for the thesis' program."""
WIDTHS = (1, 2, 5, 10)
COMBINATIONS = ((300, 2), (10, 5), (3, 10))
"""Values per column, and columns, of the dependent sets."""


@dataclass(frozen=True)
class DataSet:
    """A data set by its definition; its records are generated on request."""

    kind: Literal["independent", "dependent"]
    growth: Growth
    size: int
    """Records of an independent set, values per column of a dependent one."""
    n_columns: int

    @property
    def name(self) -> str:
        """As the thesis names them.

        >>> DataSet("dependent", "linear", 3, 10).name
        'linear-3-10'
        """
        return f"{self.growth}-{self.size}-{self.n_columns}"

    @property
    def n_records(self) -> int:
        """Rows of the table."""
        return self.size if self.kind == "independent" else self.size**self.n_columns

    def frame(self) -> pl.DataFrame:
        """The records: every column 1…N, or all combinations of 1…V; squared where quadratic.

        >>> DataSet("dependent", "linear", 2, 2).frame().rows()
        [(1, 1), (1, 2), (2, 1), (2, 2)]
        """
        values = np.arange(1, self.size + 1, dtype=np.int64)
        if self.growth == "quadratic":
            values = values**2
        if self.kind == "independent":
            columns = [values] * self.n_columns
        else:
            columns = [
                grid.ravel() for grid in np.meshgrid(*[values] * self.n_columns, indexing="ij")
            ]
        return pl.DataFrame({f"A{i}": column for i, column in enumerate(columns)})


def data_sets() -> Iterator[DataSet]:
    """All 26 in the order of the thesis."""
    for growth in GROWTHS:
        for n in SIZES:
            if growth == "linear" or n <= LARGEST_QUADRATIC:
                yield from (DataSet("independent", growth, n, width) for width in WIDTHS)
    for growth in GROWTHS:
        yield from (DataSet("dependent", growth, v, width) for v, width in COMBINATIONS)
