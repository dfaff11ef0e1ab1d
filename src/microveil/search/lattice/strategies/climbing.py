"""Climbing: a good solution early, as a bound for pruning; not a strategy by itself."""

from __future__ import annotations

from microveil.search.lattice.examiner import Finding
from microveil.search.lattice.journal import Journal
from microveil.search.lattice.space import Levels


def halve(journal: Journal) -> None:
    """Find a first solution in a few checks, by binary search on the cheapest path to the top."""
    path = [journal.examiner.space.lowest]
    costs = journal.examiner.costs
    while parents := list(journal.parents(path[-1])):
        path.append(min(parents, key=lambda node: (costs.bound(node), node)))
    low, high = 0, len(path) - 1
    journal.look(path[high])
    while low < high and not journal.is_exhausted():
        middle = (low + high) // 2
        if journal.look(path[middle]).solution:
            high = middle
        else:
            low = middle + 1


def climb(journal: Journal, start: Levels) -> None:
    """Move up, each time to the parent that costs or suppresses least, then step back.

    While no parent is a solution, the one with the fewest suppressed records per loss is next.
    """
    here = start
    journal.look(here)
    while not journal.is_exhausted():
        parents = [node for node in journal.parents(here) if not _useless(journal, node)]
        if not parents:
            break
        here = min(parents, key=lambda node: _worth(journal.look(node), node, journal))
    _descend(journal)


def _useless(journal: Journal, node: Levels) -> bool:
    return journal.useless(journal.examiner.costs.bound(node), node)


def _worth(
    finding: Finding, node: Levels, journal: Journal
) -> tuple[bool, tuple[float, ...], int, Levels]:
    most = journal.examiner.goals.most_suppressed
    if finding.n_suppressed > most:
        return True, (float(finding.n_suppressed), *finding.score), sum(node), node
    return False, finding.score, sum(node), node


def _descend(journal: Journal) -> None:
    """Step down from the best solution while a neighbour is better."""
    while journal.best is not None and not journal.is_exhausted():
        before = journal.best
        for node in journal.children(before[2]):
            if not _useless(journal, node):
                journal.look(node)
        if journal.best == before:
            return
