"""Samarati: binary search for the smallest height with a solution.

Samarati (2001). For monotone problems. Of the solutions at that height the one with the smallest
loss is used; a higher node may cost less under a loss other than the height itself.
"""

from __future__ import annotations

from microveil.search.lattice.journal import Journal
from microveil.search.lattice.space import Levels


def samarati(journal: Journal) -> None:
    """Find the smallest height with a solution, and check all its nodes."""
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
        if journal.is_exhausted():
            return
        if any(journal.decide(node) for node in by_height[heights[middle]]):
            high = middle
        else:
            low = middle + 1
    for node in by_height[heights[low]]:
        if journal.decide(node):
            journal.look(node)
    journal.proved = journal.examiner.costs.rule.name == "height"
