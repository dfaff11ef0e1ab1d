"""Examiner: evaluates nodes of a lattice, each rolled up from a finer one that is still cached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.search.lattice.goals import Goals
from microveil.search.lattice.losses import Cost, Costs, LossRule
from microveil.search.lattice.population import People
from microveil.search.lattice.record_judge import RecordJudge
from microveil.search.lattice.snapshots import Snapshots
from microveil.search.lattice.space import Levels, Space
from microveil.search.lattice.uniques import n_to_suppress
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.kernels.lattice.groups import Groups
    from microveil.kernels.lattice.losses import Tally

WORTH_KEEPING = 0.8
"""A snapshot is kept if it has at most this share of the classes it was rolled up from."""


class Finding(NamedTuple):
    """What is known about a node that was checked."""

    score: Cost
    """Its loss; for a node that is not a solution, the cost of its levels alone."""
    n_suppressed: int
    """Number of suppressed records; for a node that is not a solution, a lower bound."""
    solution: bool
    """Whether the goals are reached within the allowed suppression."""
    bound: Cost
    """Lower bound on the cost of this node and all above it."""
    n_classes: int
    """Number of classes that are kept."""


class Examiner:
    """Evaluates nodes of a space for goals and a loss; remembers snapshots, never findings."""

    def __init__(self, table: Table, space: Space, goals: Goals, rule: LossRule) -> None:
        """Prepare the rules and the costs; nothing is evaluated yet."""
        self.space = space
        self.goals = goals
        self.costs = Costs.of(space, rule, goals.most_suppressed)
        self.n_checked = 0
        self._rules = goals.rules(space)
        self._scales = space.scales(logarithms=rule.name == "entropy_based")
        self._needs = self.costs.needs
        self._lowest = np.array(space.lowest, dtype=np.int64)
        self.table = table
        self._judge = RecordJudge(table, goals.others)
        self.people = People.all_of(goals.populated, table, space)
        self._snapshots = Snapshots(space.lowest, space.base)

    def examine(self, levels: Levels) -> Finding:
        """Evaluate a node, rolled up from the smallest finer snapshot available."""
        low, finer = self._snapshots.finest(levels)
        groups, finding = self.examine_from(low, finer, levels)
        if len(groups.counts) <= WORTH_KEEPING * len(finer.counts):
            self._snapshots.keep(levels, groups)
        return finding

    def examine_from(self, low: Levels, finer: Groups, levels: Levels) -> tuple[Groups, Finding]:
        """Evaluate a node, rolled up from a finer one, and return its classes too."""
        from microveil.kernels.lattice.node import examine

        self.n_checked += 1
        start, end = np.array(low, dtype=np.int64), np.array(levels, dtype=np.int64)
        groups, _, tally = examine(
            finer,
            self.space.layout,
            self._scales,
            self._rules,
            start,
            end,
            self._needs,
        )
        holds = True
        asking = self._asking
        if asking and tally.n_suppressed <= self.goals.most_suppressed:
            classes, of_record = groups, np.empty(0, dtype=np.int32)
            if self.goals.others:
                classes, of_record = self.space.classes_at(levels)
            out = self._all_suppressed(classes, levels, of_record)
            holds = not out.all() or self.space.n_records == 0
            tally = self._tally(groups=classes, out=out, levels=levels)
        solution = (
            holds
            and tally.n_suppressed <= self.goals.most_suppressed
            and (tally.n_kept_classes > 0 or self.space.n_records == 0)
        )
        costs = self.costs
        bound = costs.bound(levels) if costs.bounded_beforehand else costs.class_bound(tally)
        score = costs.score(levels, tally) if solution else costs.bound(levels)
        return groups, Finding(
            score, int(tally.n_suppressed), solution, bound, int(tally.n_kept_classes)
        )

    def suppressed_at(self, levels: Levels) -> tuple[NDArray[np.int32], NDArray[np.int32], bool]:
        """Class of each record, 1 for each class to suppress, and whether the rest passes."""
        groups, of_record = self.space.classes_at(levels)
        out = self._all_suppressed(groups, levels, of_record)
        return of_record, out, not out.all() or self.space.n_records == 0

    def _all_suppressed(
        self, groups: Groups, levels: Levels, of_record: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        """1 for each class to suppress; the class of each record is for models of records."""
        out = self._find_suppressed(groups, levels, np.zeros(len(groups.counts), np.int32))
        most = self.goals.most_suppressed
        people = [one.counts(levels, groups) for one in self.people]
        asking = self._asking
        while asking and not out.all() and groups.counts[out == 1].sum() <= most:
            broken = self._find_broken(groups, levels, people, of_record, out)
            if not broken.any():
                break
            # Suppression changes what the others are compared with, so repeat until it settles.
            out = self._find_suppressed(groups, levels, np.where(broken, 1, out).astype(np.int32))
        return out

    @property
    def _asking(self) -> bool:
        """Whether a model must be consulted that the rules do not cover."""
        return bool(self.goals.others or self.goals.estimated or self.people)

    def _find_broken(
        self,
        groups: Groups,
        levels: Levels,
        people: Sequence[NDArray[np.int64]],
        of_record: NDArray[np.int32],
        out: NDArray[np.int32],
    ) -> NDArray[np.bool_]:
        """Remaining classes that violate a model that the rules do not cover."""
        broken: NDArray[np.bool_] = np.zeros(len(out), dtype=np.bool_)
        for one, counts in zip(self.people, people, strict=True):
            broken |= one.find_broken(counts, groups.counts, out)
        if self.goals.others:
            room = self.goals.most_suppressed - int(groups.counts[out == 1].sum())
            broken |= ~self._judge(of_record, len(out), out[of_record] == 0, room)
        broken &= out == 0
        if self.goals.estimated and not broken.any():
            broken[self._rarest(groups, levels, out)] = True
        return broken

    def _rarest(self, groups: Groups, levels: Levels, out: NDArray[np.int32]) -> NDArray[np.int64]:
        """The unique records to suppress, the most generalised first: they cost least."""
        from microveil.kernels.lattice.losses import coarseness

        gone = int(groups.counts[out == 1].sum())
        n = n_to_suppress(
            self.goals.estimated, groups.counts[out == 0], self.goals.most_suppressed - gone
        )
        if n == 0:
            return np.empty(0, dtype=np.int64)
        alone = np.flatnonzero((groups.counts == 1) & (out == 0))
        at = np.array(levels, dtype=np.int64)
        lost = coarseness(groups, self.space.layout, self._scales, at)[alone]
        return alone[np.argsort(-lost, kind="stable")[:n]]

    def _find_suppressed(
        self, groups: Groups, levels: Levels, already: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        from microveil.kernels.lattice.node import find_suppressed

        return find_suppressed(
            groups,
            self.space.layout,
            self._scales,
            self._rules,
            np.array(levels, dtype=np.int64),
            already,
        )

    def _tally(self, groups: Groups, out: NDArray[np.int32], levels: Levels) -> Tally:
        from microveil.kernels.lattice.losses import tally_node

        end = np.array(levels, dtype=np.int64)
        return tally_node(
            groups, out, self.space.layout, self._scales, end, self._needs, self.space.n_records
        )
