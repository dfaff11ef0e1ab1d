"""MDAV with NumPy, by scans of all records: for a first use, before machine code.

Up to some ten thousand records this takes a fraction of the time that compiling the loops takes.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.exact_sums import add_exactly

# As plain Python, on lists: faster for single numbers than on arrays.
_ADD: Any = getattr(add_exactly, "py_func", add_exactly)
MOST_CELLS = 4_000_000_000
"""Records × records × columns / k up to which scans are quicker than compiling: some seconds."""
_STALE = 0.9
"""Removed records are left out of the arrays when fewer than this share of them is left."""


class _Live:
    """The records without a group, the last one first, so that it wins ties for the nearest."""

    def __init__(self, points: Floats) -> None:
        self._points = points
        self._records: Longs = np.arange(len(points) - 1, -1, -1)
        self.n_left = len(points)
        self.high = [0.0] * points.shape[1]
        self._low = [0.0] * points.shape[1]
        self._arrange()
        for row in points.tolist():
            self._add(row)

    def _add(self, row: list[float]) -> None:
        for j, value in enumerate(row):
            _ADD(self.high, self._low, j, value)

    def _arrange(self) -> None:
        """Keep the records that are left, column by column."""
        self._columns = [np.ascontiguousarray(one) for one in self._points[self._records].T]
        self._gone = np.zeros(len(self._records))
        self._spare, self._found = np.empty_like(self._gone), np.empty_like(self._gone)

    def measure(self, query: list[float]) -> Floats:
        """Squared distances to a query, columns summed in order."""
        for j, (column, value) in enumerate(zip(self._columns, query, strict=True)):
            into = self._spare if j else self._found
            np.subtract(column, value, out=into)
            np.multiply(into, into, out=into)
            if j:
                np.add(self._found, self._spare, out=self._found)
        return self._found

    def farthest(self, distances: Floats) -> int:
        """Place of the farthest record that is left; ties: smallest index."""
        np.subtract(distances, self._gone, out=self._spare)
        return len(distances) - 1 - int(np.argmax(self._spare[::-1]))

    def nearest(self, distances: Floats, wanted: int) -> Iterator[int]:
        """Places of the nearest records that are left; ties: largest index."""
        there = distances + self._gone
        for _ in range(wanted):
            place = int(np.argmin(there))
            there[place] = np.inf
            yield place

    def remove(self, place: int) -> int:
        """Take a record out; return its number."""
        record = int(self._records[place])
        self._gone[place] = np.inf
        self.n_left -= 1
        self._add((-self._points[record]).tolist())
        return record

    def row(self, place: int) -> list[float]:
        """The coordinates of a record."""
        return [float(column[place]) for column in self._columns]

    def tidy(self) -> None:
        """Leave out the records that have been removed, if they are many."""
        if self.n_left < _STALE * len(self._records):
            self._records = self._records[self._gone == 0]
            self._arrange()


def mdav_by_scans(points: Floats, k: int) -> Ints:
    """Group of each record by MDAV, as :func:`~microveil.kernels.microaggregation.mdav.mdav`.

    >>> mdav_by_scans(np.array([[0.0], [1.0], [10.0], [11.0], [5.0]]), 2).tolist()
    [1, 1, 0, 0, 1]
    """
    labels = np.full(len(points), -1, dtype=np.int32)
    live, n_groups = _Live(points), 0

    def form_group(seed: int) -> Floats:
        """Remove a record and its k−1 nearest; return the distances of all to it."""
        nonlocal n_groups
        labels[live.remove(seed)] = n_groups
        distances = live.measure(live.row(seed))
        for place in live.nearest(distances, k - 1):
            labels[live.remove(place)] = n_groups
        n_groups += 1
        return distances

    while live.n_left >= 2 * k:
        live.tidy()
        n_before = live.n_left
        centre = [total / n_before for total in live.high]
        from_first = form_group(live.farthest(live.measure(centre)))
        if n_before >= 3 * k:
            form_group(live.farthest(from_first))
    labels[labels < 0] = n_groups
    return labels
