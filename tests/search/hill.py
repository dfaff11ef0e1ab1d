"""A small lattice whose costs and solutions are known, for tests of how nodes are walked."""

from __future__ import annotations

from collections.abc import Callable

from microveil.search.lattice.examiner import Finding
from microveil.search.lattice.journal import Journal, Limits
from microveil.search.lattice.space import Levels


class Hill:
    """A lattice of two keys that stands in for an examiner: what it costs is the weighted sum."""

    def __init__(self, solution: Callable[[Levels], bool]) -> None:
        self.space = self.costs = self.goals = self
        self.lowest, self.highest, self.n_nodes = (0, 0), (3, 4), 20
        self.most_suppressed = 0
        self.solution = solution

    def bound(self, levels: Levels) -> tuple[float, ...]:
        return (float(levels[0] + 2 * levels[1]),)

    def examine(self, levels: Levels) -> Finding:
        solves = self.solution(levels)
        gone = 0 if solves else 20 - sum(levels)
        score = self.bound(levels)
        return Finding(solution=solves, score=score, bound=score, n_suppressed=gone, n_classes=1)


def journal(solution: Callable[[Levels], bool], **limits: int) -> Journal:
    """A search of the hill that has not begun."""
    return Journal(Hill(solution), Limits(**limits))  # type: ignore[arg-type]  # stands in
