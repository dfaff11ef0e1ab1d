"""Snapshots: cached classes of checked nodes, from which coarser nodes are rolled up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from microveil.search.lattice.space import Levels

if TYPE_CHECKING:
    from microveil.kernels.lattice.groups import Groups

CACHE_BYTES = 192 * 2**20
"""Memory for snapshots of classes."""
MOST_SNAPSHOTS = 256


class Snapshots:
    """The classes of some nodes: always the lowest, and the most recently used others.

    The best snapshot is looked up for every node, so their levels are stored in one array.
    """

    def __init__(self, lowest: Levels, base: Groups) -> None:
        """Start with the lowest node only."""
        self._levels = np.zeros((MOST_SNAPSHOTS + 1, len(lowest)), dtype=np.int64)
        self._levels[0] = lowest
        self._sizes = np.zeros(MOST_SNAPSHOTS + 1, dtype=np.int64)
        self._sizes[0] = len(base.counts)
        self._used = np.zeros(MOST_SNAPSHOTS + 1, dtype=np.int64)
        self._used[0] = np.iinfo(np.int64).max
        self._groups = [base]
        self._names = [lowest]
        self._bytes = 0
        self._time = 0

    def finest(self, levels: Levels) -> tuple[Levels, Groups]:
        """The fewest classes at or below a node, and their position."""
        n = len(self._groups)
        below = np.flatnonzero((self._levels[:n] <= levels).all(axis=1))
        place = int(below[np.argmin(self._sizes[below])])
        self._touch(place)
        return self._names[place], self._groups[place]

    def keep(self, levels: Levels, groups: Groups) -> None:
        """Keep the classes of a node; the least recently used are evicted."""
        room = sum(part.nbytes for part in groups)
        while len(self._groups) > MOST_SNAPSHOTS or (
            self._bytes + room > CACHE_BYTES and len(self._groups) > 1
        ):
            self._drop(int(np.argmin(self._used[: len(self._groups)])))
        place = len(self._groups)
        self._groups.append(groups)
        self._names.append(levels)
        self._levels[place], self._sizes[place] = levels, len(groups.counts)
        self._bytes += room
        self._touch(place)

    def _touch(self, place: int) -> None:
        if place:
            self._time += 1
            self._used[place] = self._time

    def _drop(self, place: int) -> None:
        """Evict one; the last takes its place."""
        self._bytes -= sum(part.nbytes for part in self._groups[place])
        last = len(self._groups) - 1
        for rows in (self._levels, self._sizes, self._used):
            rows[place] = rows[last]
        self._groups[place], self._names[place] = self._groups[last], self._names[last]
        del self._groups[last], self._names[last]
