"""Rows that say what a person's other rows say, recognised across the parts of a file."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.pairs.reading import Reading
from microveil.tables import Table


class RowsSeen:
    """The rows of all parts so far, each as one number of 64 bits.

    Memory is 8 bytes for each distinct row. Among a billion rows, two that differ are taken for
    the same with a chance of about 3 %.
    """

    def __init__(self) -> None:
        self._seen = np.zeros(0, dtype=np.uint64)

    def add(self, original: Table, released: Table) -> Reading:
        """The rows of a part that no part had before, once each, before and after."""
        reading = Reading.of(original, released).said_once
        told = _row_numbers(reading)
        place = np.minimum(np.searchsorted(self._seen, told), max(len(self._seen) - 1, 0))
        new = self._seen[place] != told if len(self._seen) else np.ones(len(told), dtype=np.bool_)
        self._seen = np.sort(np.concatenate([self._seen, told[new]]), kind="stable")
        return reading if new.all() else reading.only_rows(np.flatnonzero(new))


def _row_numbers(reading: Reading) -> NDArray[np.uint64]:
    """Of each original row, its cells and those of the released row that it became."""
    told = np.zeros(reading.original.height, dtype=np.uint64)
    for place, frame in enumerate(reading.cells_before_and_after()):
        # Categories are numbered differently in each part.
        texts = frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))
        told ^= texts.hash_rows(seed=place).to_numpy()
    return told
