"""Flash: greedy paths upwards, binary search on each, and inference for all other nodes.

Kohlmayer, Prasser, Eckert, Kemper & Kuhn (2012). For monotone problems: every node above a solution
is one. All nodes are decided, few of them by checking; the smallest loss is that of a minimal
solution, and every minimal solution was checked.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from microveil.search.lattice.journal import UNKNOWN, Journal
from microveil.search.lattice.space import Levels


def flash(journal: Journal) -> None:
    """Decide every node of a monotone problem."""
    journal.decide(journal.examiner.space.lowest)
    for start in _undecided_nodes(journal):
        path = _path(journal, start)
        low, high = 0, len(path) - 1
        while low <= high:
            if journal.is_exhausted():
                return
            middle = (low + high) // 2
            if journal.decide(path[middle]):
                high = middle - 1
            else:
                low = middle + 1
    journal.proved = True


def _undecided_nodes(journal: Journal) -> Iterator[Levels]:
    """Nodes by the sum of their levels, skipping those already decided when their turn comes."""
    lowest = journal.examiner.space.lowest
    heights = np.indices(journal.shape, dtype=np.int32).sum(axis=0).ravel()
    order = np.argsort(heights, kind="stable")
    while journal.implied is not None:
        open_ones = journal.implied.ravel()[order] == UNKNOWN
        first = int(open_ones.argmax())
        if not open_ones[first]:
            return
        order = order[first:]
        index = np.unravel_index(order[0], journal.shape)
        yield tuple(int(at) + low for at, low in zip(index, lowest, strict=True))


def _path(journal: Journal, start: Levels) -> list[Levels]:
    """Undecided nodes upwards from a node, each time to the parent that costs least."""
    path = [start]
    costs = journal.examiner.costs
    while True:
        undecided = [node for node in journal.parents(path[-1]) if not journal.verdict(node)]
        if not undecided:
            return path
        path.append(min(undecided, key=lambda node: (costs.bound(node), node)))
