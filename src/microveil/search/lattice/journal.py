"""Journal: what a search has found out about the nodes of a lattice so far."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from microveil.progress import Doing, Progress, silent
from microveil.search.lattice.examiner import Examiner, Finding
from microveil.search.lattice.losses import Cost
from microveil.search.lattice.space import Levels
from microveil.texts import phrase

UNKNOWN, SOLUTION, NO_SOLUTION = 0, 1, 2
"""What is implied about a node: nothing, that it is a solution, or that it is not."""

BETWEEN_NEWS = 0.25
"""Seconds between two reports of progress."""

Rank = tuple[Cost, int, Levels]
"""Order of nodes: by loss, then by the sum of levels, then by the levels."""


@dataclass(frozen=True)
class Limits:
    """Limits on the duration of a search."""

    checks: int | None = None
    seconds: float | None = None


@dataclass(eq=False)
class Journal:
    """Findings by node, their consequences for other nodes, and the best solution so far."""

    examiner: Examiner
    limits: Limits = Limits()
    progress: Progress = silent
    findings: dict[Levels, Finding] = field(default_factory=dict)
    best: Rank | None = None
    n_aside: int = 0
    """Nodes checked only for what they imply about others, and not recorded."""
    proved: bool = False
    """Whether the best solution is proved to be optimal."""
    implied: NDArray[np.int8] | None = None
    """For each node, by its levels above the lowest; None if nothing is implied."""

    def __post_init__(self) -> None:
        """Start the clock."""
        self._began = self._told = time.monotonic()
        self._telling = threading.Lock()

    @property
    def shape(self) -> Levels:
        """Levels of each key."""
        space = self.examiner.space
        return tuple(b - a + 1 for a, b in zip(space.lowest, space.highest, strict=True))

    def look(self, levels: Levels) -> Finding:
        """Check a node unless that was done before."""
        known = self.findings.get(levels)
        if known is None:
            known = self.examiner.examine(levels)
            self.add(levels, known)
        return known

    def add(self, levels: Levels, finding: Finding) -> None:
        """Record a finding; the best solution is kept by rank."""
        self.findings[levels] = finding
        if finding.solution:
            rank = (finding.score, sum(levels), levels)
            if self.best is None or rank < self.best:
                self.best = rank
        self.tell()

    def tell(self, best: Rank | None = None) -> None:
        """Report how far the search is and the best so far, at most a few times a second."""
        now = time.monotonic()
        if now < self._told + BETWEEN_NEWS or not self._telling.acquire(blocking=False):
            return  # another thread reports already
        try:
            self._told = now
            self._report(best or self.best)
        finally:
            self._telling.release()

    def _report(self, best: Rank | None) -> None:
        checked, n_nodes = self.examiner.n_checked, self.examiner.space.n_nodes
        note = phrase("{checked:,} nodes checked, no solution yet", checked=checked)
        if best is not None:
            note = phrase(
                "{checked:,} nodes checked, smallest loss so far {loss:.4g}",
                checked=checked,
                loss=best[0][0],
            )
        self.progress(min(checked, n_nodes), n_nodes, Doing("nodes", note))

    def is_exhausted(self) -> bool:
        """Whether a limit is reached."""
        checks, seconds = self.limits.checks, self.limits.seconds
        return (checks is not None and len(self.findings) + self.n_aside >= checks) or (
            seconds is not None and time.monotonic() - self._began >= seconds
        )

    def useless(self, bound: Cost, node: Levels) -> bool:
        """Whether neither a node with this bound, nor any above it, can be better than the best.

        Nodes above have a larger sum of levels, so they cannot win a tie.
        """
        return self.best is not None and (bound, sum(node), node) >= self.best

    def parents(self, levels: Levels) -> Iterator[Levels]:
        """The nodes one step coarser."""
        for key, level in enumerate(levels):
            if level < self.examiner.space.highest[key]:
                yield (*levels[:key], level + 1, *levels[key + 1 :])

    def children(self, levels: Levels) -> Iterator[Levels]:
        """The nodes one step finer."""
        for key, level in enumerate(levels):
            if level > self.examiner.space.lowest[key]:
                yield (*levels[:key], level - 1, *levels[key + 1 :])

    def all_nodes(self) -> Iterator[Levels]:
        """Every node, in the order of its levels."""
        space = self.examiner.space
        return product(*(range(a, b + 1) for a, b in zip(space.lowest, space.highest, strict=True)))

    def verdict(self, levels: Levels) -> int:
        """What is known or implied about whether a node is a solution."""
        known = self.findings.get(levels)
        if known is not None:
            return SOLUTION if known.solution else NO_SOLUTION
        return UNKNOWN if self.implied is None else int(self.implied[self._index(levels)])

    def decide(self, levels: Levels) -> bool:
        """Whether a node is a solution; it is checked only if that is not implied."""
        verdict = self.verdict(levels)
        if verdict == UNKNOWN:
            solution = self.look(levels).solution
            self._imply(levels, solution=solution)
            return solution
        return verdict == SOLUTION

    def _imply(self, levels: Levels, *, solution: bool) -> None:
        """Nodes above a solution are solutions; nodes below a non-solution are not."""
        if self.implied is None:
            self.implied = np.zeros(self.shape, dtype=np.int8)
        index = self._index(levels)
        above = tuple(slice(at, None) for at in index)
        below = tuple(slice(None, at + 1) for at in index)
        self.implied[above if solution else below] = SOLUTION if solution else NO_SOLUTION

    def _index(self, levels: Levels) -> Levels:
        lowest = self.examiner.space.lowest
        return tuple(level - low for level, low in zip(levels, lowest, strict=True))
