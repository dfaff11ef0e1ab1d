"""Journal: what a search has found out about the nodes of a lattice so far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from microveil.progress import Progress, silent
from microveil.search.lattice.examiner import Examiner, Finding
from microveil.search.lattice.losses import Score
from microveil.search.lattice.space import Levels

UNKNOWN, SOLUTION, NO_SOLUTION = 0, 1, 2
"""What is implied about a node: nothing, that it is a solution, or that it is none."""

Rank = tuple[Score, int, Levels]
"""How nodes are put in order: by loss, then by the sum of levels, then by the levels."""


@dataclass(frozen=True)
class Limits:
    """How long a search may go on."""

    checks: int | None = None
    seconds: float | None = None


@dataclass(eq=False)
class Journal:
    """Findings by node, what follows from them for others, and the best solution so far."""

    examiner: Examiner
    limits: Limits = Limits()
    progress: Progress = silent
    findings: dict[Levels, Finding] = field(default_factory=dict)
    best: Rank | None = None
    n_aside: int = 0
    """Nodes looked at for what they tell about others, and not written down."""
    proved: bool = False
    """Whether nothing better than the best can exist."""
    implied: NDArray[np.int8] | None = None
    """For each node, by its levels above the lowest; none where nothing is implied."""

    def __post_init__(self) -> None:
        """Start the clock."""
        self._began = time.monotonic()

    @property
    def shape(self) -> Levels:
        """Levels of each key."""
        space = self.examiner.space
        return tuple(b - a + 1 for a, b in zip(space.lowest, space.highest, strict=True))

    def look(self, levels: Levels) -> Finding:
        """Look at a node unless that was done before."""
        known = self.findings.get(levels)
        if known is None:
            known = self.examiner.examine(levels)
            self.add(levels, known)
        return known

    def add(self, levels: Levels, finding: Finding) -> None:
        """Write a finding down; the best solution stays the best by rank."""
        self.findings[levels] = finding
        if finding.solution:
            rank = (finding.score, sum(levels), levels)
            if self.best is None or rank < self.best:
                self.best = rank
        if len(self.findings) % 256 == 0:
            self.progress(len(self.findings), self.examiner.space.n_nodes, "nodes")

    def exhausted(self) -> bool:
        """Whether the limits are reached."""
        checks, seconds = self.limits.checks, self.limits.seconds
        return (checks is not None and len(self.findings) + self.n_aside >= checks) or (
            seconds is not None and time.monotonic() - self._began >= seconds
        )

    def useless(self, bound: Score, node: Levels) -> bool:
        """Whether neither a node with such a bound, nor one above it, can be better than the best.

        What is above it has a larger sum of levels, so that equal losses cannot beat the best.
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
        """What is known or implied about a node's being a solution."""
        known = self.findings.get(levels)
        if known is not None:
            return SOLUTION if known.solution else NO_SOLUTION
        return UNKNOWN if self.implied is None else int(self.implied[self._index(levels)])

    def decide(self, levels: Levels) -> bool:
        """Whether a node is a solution; looks at it only if that is not implied."""
        verdict = self.verdict(levels)
        if verdict == UNKNOWN:
            solution = self.look(levels).solution
            self._imply(levels, solution=solution)
            return solution
        return verdict == SOLUTION

    def _imply(self, levels: Levels, *, solution: bool) -> None:
        """What is above a solution is one; what is below a node that is none is none."""
        if self.implied is None:
            self.implied = np.zeros(self.shape, dtype=np.int8)
        index = self._index(levels)
        above = tuple(slice(at, None) for at in index)
        below = tuple(slice(None, at + 1) for at in index)
        self.implied[above if solution else below] = SOLUTION if solution else NO_SOLUTION

    def _index(self, levels: Levels) -> Levels:
        lowest = self.examiner.space.lowest
        return tuple(level - low for level, low in zip(levels, lowest, strict=True))
