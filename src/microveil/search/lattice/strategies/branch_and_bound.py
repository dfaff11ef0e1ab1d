"""Branch and bound: every node that may be optimal, each rolled up from one step below.

A node is reached from the one where the last of its raised keys is a level lower, so the lattice
becomes a tree, a walk holds one path of classes, and each node costs one pass over the classes a
step below it. A branch is pruned if its cheapest node must cost more than the best so far, or if
even its coarsest node must suppress too much. The tree is divided into fixed tasks, each with its
own best, so that any number of threads finds, and checks, the same nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

from microveil.cores import n_threads, shared_pool
from microveil.search.lattice.examiner import Finding
from microveil.search.lattice.journal import Journal, Rank
from microveil.search.lattice.losses import Cost
from microveil.search.lattice.space import Levels
from microveil.search.lattice.strategies.climbing import climb

if TYPE_CHECKING:
    from microveil.kernels.lattice.groups import Groups

WORTH_THREADS = 10**8
"""Threads pay off when classes times nodes reach this number; below it they only queue."""
SPLIT = 2
"""Number of keys whose levels define the tasks."""


def branch_and_bound(journal: Journal) -> None:
    """Check every node that the bounds do not exclude."""
    space = journal.examiner.space
    climb(journal, space.lowest)
    order = _order(journal)
    first = order[:SPLIT]
    starts = product(*(range(space.lowest[k], space.highest[k] + 1) for k in first))
    tasks = [_Task(journal, order, dict(zip(first, levels, strict=True))) for levels in starts]
    try:
        for task in _run(tasks, large=len(space.base.counts) * space.n_nodes >= WORTH_THREADS):
            _write_down(journal, task)
            if task.stopped:
                return
    except KeyboardInterrupt:
        for task in tasks:  # findings of unfinished tasks count too
            _write_down(journal, task)
        raise
    journal.proved = True


def _write_down(journal: Journal, task: _Task) -> None:
    for levels, finding in task.findings.items():
        journal.add(levels, finding)


def _run(tasks: list[_Task], *, large: bool) -> Iterator[_Task]:
    if not large or n_threads() == 1:
        yield from (task.run() for task in tasks)
        return
    with shared_pool(len(tasks)) as pool:
        try:
            yield from pool.map(_Task.run, tasks)
        except BaseException:
            for task in tasks:
                task.stopped = True
            raise


def _order(journal: Journal) -> list[int]:
    """Order keys by the number of classes left when they alone are generalised, fewest first.

    A node is rolled up from one where a late key is a level lower; if that key merges little, the
    finer node is hardly larger.
    """
    space = journal.examiner.space
    left = {}
    for key, top in enumerate(space.highest):
        node = (*space.lowest[:key], top, *space.lowest[key + 1 :])
        left[key] = len(space.classes_at(node)[0].counts)
    return sorted(left, key=lambda key: (left[key], key))


class _Task:
    """The branch with the first keys at given levels."""

    def __init__(self, journal: Journal, order: list[int], fixed: dict[int, int]) -> None:
        self.findings: dict[Levels, Finding] = {}
        self.stopped = False
        self._journal = journal
        self._examiner = journal.examiner
        self._order = order
        self._highest = self._examiner.space.highest
        lowest = self._examiner.space.lowest
        self._start: Levels = tuple(fixed.get(key, low) for key, low in enumerate(lowest))
        self._best: Rank | None = journal.best
        self._coarsest: dict[Levels, Finding] = {}
        goals, rule = self._examiner.goals, self._examiner.costs.rule
        self._falls = goals.suppression_falls
        self._all_may_go = goals.most_suppressed >= goals.n_records
        # The largest of the keys' losses may stay the same when records are suppressed.
        summed = rule.by_key and rule.name != "height" and rule.aggregate != "max"
        self._costly = summed and not rule.monotone and rule.of_suppressing > 0

    def run(self) -> _Task:
        """Walk the branch."""
        space = self._examiner.space
        if not self._useless(self._examiner.costs.bound(self._start), self._start):
            groups, finding = self._look(space.lowest, space.base, self._start)
            self._walk(self._start, groups, finding, SPLIT)
        return self

    def _useless(self, bound: Cost, node: Levels) -> bool:
        return self._best is not None and (bound, sum(node), node) >= self._best

    def _look(self, low: Levels, finer: Groups, node: Levels) -> tuple[Groups, Finding]:
        groups, finding = self._examiner.examine_from(low, finer, node)
        self.findings[node] = finding
        if finding.solution:
            rank = (finding.score, sum(node), node)
            if self._best is None or rank < self._best:
                self._best = rank
        self._journal.tell(self._best)
        return groups, finding

    def _walk(self, node: Levels, groups: Groups, finding: Finding, position: int) -> None:
        """Raise one key after another, starting from a position in the order."""
        costs = self._examiner.costs
        for at in range(position, len(self._order)):
            key = self._order[at]
            if node[key] == self._highest[key]:
                continue
            raised = (*node[:key], node[key] + 1, *node[key + 1 :])
            least = max(costs.bound(raised), finding.bound)
            if self.stopped or self._useless(least, raised):
                continue
            if self._falls and self._in_vain(node, groups, at, least):
                continue
            if self._over():
                self.stopped = True
                return
            merged, found = self._look(node, groups, raised)
            self._walk(raised, merged, found, at)

    def _over(self) -> bool:
        limits = self._journal.limits
        if limits.checks is not None and len(self.findings) >= limits.checks:
            return True
        return self._journal.is_exhausted()

    def _in_vain(self, node: Levels, groups: Groups, at: int, least: Cost) -> bool:
        """Whether even the coarsest node of a branch suppresses too much; checked once for each.

        If a branch can at best tie with the best so far, any suppression is too much.
        """
        equal = self._best is not None and least == self._best[0] and self._costly
        if self._all_may_go and not equal:
            return False
        coarsest = list(node)
        for key in self._order[at:]:
            coarsest[key] = self._highest[key]
        top = tuple(coarsest)
        found = self._coarsest.get(top)
        if found is None:
            _, found = self._examiner.examine_from(node, groups, top)
            self._coarsest[top] = found
        return not found.solution or (equal and found.n_suppressed > 0)
