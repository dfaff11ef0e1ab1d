"""Best first: always expand the node with the lowest bound, with dives for early solutions.

In the manner of Lightning (Prasser et al. 2016): nodes are queued by a lower bound on their cost
and that of all nodes above; from time to time a dive follows the cheapest parents upwards. Works
for any problem, can be stopped at any time, and has proved its optimum when nothing cheaper is
queued.
"""

from __future__ import annotations

import heapq

from microveil.search.lattice.journal import Journal
from microveil.search.lattice.losses import Cost
from microveil.search.lattice.space import Levels
from microveil.search.lattice.strategies.climbing import climb, halve

DIVE_EVERY = 64
"""Nodes between two dives, while no solution is known or limits apply."""


def best_first(journal: Journal) -> None:
    """Check nodes in order of their bounds, until nothing in the queue can be better."""
    space, costs = journal.examiner.space, journal.examiner.costs
    pressed = journal.limits.checks is not None or journal.limits.seconds is not None
    waiting: list[tuple[Cost, int, Levels]] = [(costs.bound(space.lowest), 0, space.lowest)]
    seen = {space.lowest}
    n_done = 0
    if pressed:
        halve(journal)
        climb(journal, space.lowest)
    while waiting:
        bound, _, node = heapq.heappop(waiting)
        if journal.useless(bound, node):
            break
        if journal.is_exhausted():
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
