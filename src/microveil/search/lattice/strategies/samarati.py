"""Samarati: binary search for the least height that has a solution.

Samarati (2001). For monotone problems. Of the solutions at that height the one with the least loss
is taken; a higher node may cost less by another loss than the height itself.
"""

from __future__ import annotations

from microveil.search.lattice.journal import Journal
from microveil.search.lattice.space import Levels


def samarati(journal: Journal) -> None:
    """Find the least height with a solution, and look at all nodes of it."""
    by_height: dict[int, list[Levels]] = {}
    for node in journal.all_nodes():
        by_height.setdefault(sum(node), []).append(node)
    heights = sorted(by_height)
    low, high = 0, len(heights) - 1
    if not journal.decide(by_height[heights[high]][0]):
        journal.proved = True
        return
    while low < high:
        middle = (low + high) // 2
        if journal.exhausted():
            return
        if any(journal.decide(node) for node in by_height[heights[middle]]):
            high = middle
        else:
            low = middle + 1
    for node in by_height[heights[low]]:
        if journal.decide(node):
            journal.look(node)
    journal.proved = journal.examiner.costs.rule.name == "height"
