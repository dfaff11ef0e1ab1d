"""Best first: always on from the node that may cost least, with dives for good solutions early.

In the manner of Lightning (Prasser et al. 2016): nodes wait in the order of what they, and all
above them, cost at least; now and then a dive follows the cheapest parents upward. Works for any
problem, can be stopped at any time, and has proved its best when nothing cheaper waits.
"""

from __future__ import annotations

import heapq

from microveil.search.lattice.journal import Journal
from microveil.search.lattice.losses import Score
from microveil.search.lattice.space import Levels
from microveil.search.lattice.strategies.climbing import climb, halve

DIVE_EVERY = 64
"""Nodes between two dives, while no solution is known or limits press."""


def best_first(journal: Journal) -> None:
    """Look at nodes by what they may cost, until nothing that waits may be better."""
    space, costs = journal.examiner.space, journal.examiner.costs
    pressed = journal.limits.checks is not None or journal.limits.seconds is not None
    waiting: list[tuple[Score, int, Levels]] = [(costs.bound(space.lowest), 0, space.lowest)]
    seen = {space.lowest}
    n_done = 0
    if pressed:
        halve(journal)
        climb(journal, space.lowest)
    while waiting:
        bound, _, node = heapq.heappop(waiting)
        if journal.useless(bound, node):
            break
        if journal.exhausted():
            return
        finding = journal.look(node)
        n_done += 1
        if pressed and n_done % DIVE_EVERY == 0:
            climb(journal, node)
        for parent in journal.parents(node):
            least = max(costs.bound(parent), finding.bound)
            if parent not in seen and not journal.useless(least, parent):
                seen.add(parent)
                heapq.heappush(waiting, (least, sum(parent), parent))
    journal.proved = True
