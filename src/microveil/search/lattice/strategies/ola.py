"""OLA: solutions of minimal height in ever smaller parts of the lattice.

El Emam et al. (2009), Optimal Lattice Anonymization. For monotone problems: the lattice between a
non-solution and a solution is bisected at half its height.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from microveil.search.lattice.journal import Journal
from microveil.search.lattice.space import Levels


def ola(journal: Journal) -> None:
    """Decide every node of a monotone problem by repeated bisection of the lattice."""
    space = journal.examiner.space
    done: set[tuple[Levels, Levels]] = set()
    parts = [(space.lowest, space.highest)]
    journal.decide(space.highest)
    journal.decide(space.lowest)
    while parts:
        part = parts.pop()
        if part in done:
            continue
        done.add(part)
        bottom, top = part
        if journal.decide(bottom) or not journal.decide(top):
            continue
        for node in _middle(bottom, top):
            if journal.is_exhausted():
                return
            if node in part:
                continue
            parts.append((bottom, node) if journal.decide(node) else (node, top))
    journal.proved = True


def _middle(bottom: Levels, top: Levels) -> Iterator[Levels]:
    """The nodes at half the height between two."""
    wanted = (sum(bottom) + sum(top)) // 2
    ranges = [range(a, b + 1) for a, b in zip(bottom, top, strict=True)]
    return (node for node in product(*ranges) if sum(node) == wanted)
