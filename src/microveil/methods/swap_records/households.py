"""Households: which records belong together, and what they have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import ColumnError
from microveil.tables.codes import encode


class Households(NamedTuple):
    """Households numbered in order of first occurrence in the table."""

    of_record: Longs
    """Household of each record."""
    first: Longs
    """Row of each household's first record."""
    size: Longs
    """Records of each household."""

    @classmethod
    def of(cls, frame: pl.DataFrame, column: str | None) -> Households:
        """Records with the same value form one household; a missing value forms one of its own.

        >>> frame = pl.DataFrame({"home": [7, None, 3, 7, None]})
        >>> Households.of(frame, "home").of_record.tolist()
        [0, 1, 2, 0, 3]
        """
        rows = np.arange(frame.height)
        if column is None:
            return cls(rows, rows, np.ones_like(rows))
        codes = encode(frame[column])
        keys = codes.values
        if frame[column].null_count():
            missing = frame[column].is_null().to_numpy()
            keys = np.where(missing, codes.radix + rows, keys)
        of_record, first = seen_order(keys)
        return cls(of_record, first, np.bincount(of_record))

    def smallest(self, values: Longs) -> Longs:
        """The smallest of the members' values."""
        if len(self.first) in (0, len(self.of_record)):
            return values[self.first]
        members = np.argsort(self.of_record, kind="stable")
        starts = np.cumsum(self.size) - self.size
        least: Longs = np.minimum.reduceat(values[members], starts)
        return least

    def require_alike(self, frame: pl.DataFrame, columns: Iterable[str], step: str) -> None:
        """Raise an error unless each column is constant within every household."""
        if len(self.first) == len(self.of_record):
            return
        for name in dict.fromkeys(columns):
            codes = encode(frame[name]).values
            differs = codes != codes[self.first][self.of_record]
            n_mixed = len(np.unique(self.of_record[differs]))
            if n_mixed:
                raise ColumnError(
                    "Step '{step}' needs one value of '{name}' for each household, but "
                    "{n_mixed} of {n_first} households have several. Correct the column, or "
                    "leave it out.",
                    step=step,
                    name=name,
                    n_mixed=n_mixed,
                    n_first=len(self.first),
                )


def seen_order(keys: Longs) -> tuple[Longs, Longs]:
    """Equal keys numbered by first appearance, and where each number first appears.

    >>> seen_order(np.array([9, 4, 9]))[0].tolist()
    [0, 1, 0]
    """
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    by_row = np.argsort(first)
    number = np.empty_like(by_row)
    number[by_row] = np.arange(len(by_row))
    return number[inverse], first[by_row]
