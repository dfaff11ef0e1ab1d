"""Releasing a search result: the keys at their levels, without the suppressed records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError, InternalError
from microveil.hierarchies import Types
from microveil.labels.recoding import Recoding, at_any_level
from microveil.methods.parts.base import Method, Outcome
from microveil.privacy import PrivacyModel
from microveil.progress import step_progress
from microveil.search.lattice.examiner import Examiner
from microveil.search.lattice.goals import Goals
from microveil.search.lattice.lattice_search import LatticeSearch
from microveil.search.lattice.outcome import checks_at, refuse_unsolved
from microveil.search.lattice.result import Node, SearchResult
from microveil.search.lattice.space import Levels
from microveil.tables import Classes, Missing, Table

MOST_SOLUTIONS = 10
"""Solutions that the facts list, best first, so that another one can be chosen."""


class LatticeMethod(LatticeSearch, Method):
    """A step that searches the lattice of its keys and releases the best generalisation."""

    def toward(
        self,
        requirements: Sequence[PrivacyModel],
        missing: Missing = "category",  # noqa: ARG002  a missing key is a value here
    ) -> Self:
        """The step with the recipe's requirements as its goal, unless it names one."""
        if self.goal:
            return self
        # A requirement's population is in the coding of the release, which is not known yet.
        able = (one for one in requirements if getattr(one, "population", None) is None)
        return self.model_copy(update={"models": tuple(able)})

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What each value becomes at any level: only the release shows which was chosen."""
        return at_any_level(self.hierarchies.get(name, Types()), values, counts)

    def on_classes(self, table: Table, counts: Longs) -> Outcome | None:
        """The same on distinct rows, unless a model has to be asked record by record."""
        by_record = Goals.of(self.goal, table, 0, self.baseline).others
        return None if by_record or table.people is not None else self._outcome(table, counts)

    def _outcome(self, table: Table, counts: Longs | None = None) -> Outcome:
        return self._release(table, counts)[0]

    def _release(
        self, table: Table, counts: Longs | None = None
    ) -> tuple[Outcome, SearchResult | None]:
        """Search, generalise, and keep the records of classes that meet all requirements."""
        keys = self.keys(table)
        if not self.goal:
            raise InputError(
                "Step '{kind}' has no goal: give k (or models) in the step, or requirements "
                "in the recipe, other than about a population.",
                kind=self.kind(),
            )
        if table.height == 0:
            facts = {"levels": dict.fromkeys(keys, 0), "n_suppressed": 0}
            return Outcome(table, facts), None
        examiner, result = self.search_with_examiner(table, step_progress(), counts)
        if result.interrupted and result.optimum is None:
            raise KeyboardInterrupt
        refuse_unsolved(examiner, result)
        node = self._choose(result)
        kept, n_suppressed = _publish(examiner, _levels(node), table)
        if self.baseline == "released" and counts is None:
            self._confirm(kept, examiner, _levels(node))
        return Outcome(kept, _facts(result, node, self.node, n_suppressed)), result

    def _choose(self, result: SearchResult) -> Node:
        """The node that is released."""
        return result.node(self.node)

    def _confirm(self, released: Table, examiner: Examiner, levels: Levels) -> None:
        """Check the models on the table as published.

        A population has to be generalised with it, which the examiner does.
        """
        classes = Classes.of(released, examiner.space.names)
        populated = examiner.goals.populated
        checks = [model.verify(classes) for model in self.goal if model not in populated]
        if populated:
            checks += checks_at(examiner, levels, examiner.suppressed_at(levels)[1])
        broken = [check for check in checks if not check.holds]
        if broken:
            raise InternalError("The search went wrong: {sentence}", sentence=broken[0].sentence())


def _levels(node: Node) -> Levels:
    return tuple(node.levels.values())


def _publish(examiner: Examiner, levels: Levels, table: Table) -> tuple[Table, int]:
    """The rows that are kept, at their levels, and the number of suppressed records."""
    of_record, out, _ = examiner.suppressed_at(levels)
    changed = [
        stair.publish(table.frame[stair.name], level)
        for stair, level in zip(examiner.space.stairs, levels, strict=True)
    ]
    gone = out[of_record] != 0
    counts = examiner.space.counts
    n_suppressed = int(gone.sum() if counts is None else counts[gone].sum())
    return table.with_columns(changed).filter(~gone), n_suppressed


def _facts(result: SearchResult, node: Node, rank: int, n_suppressed: int) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "levels": node.levels,
        "level_titles": result.titles(node.levels),
        "n_suppressed": n_suppressed,
        "n_classes": node.n_classes,
        "loss": node.loss,
        "strategy": result.strategy,
        "n_nodes": result.n_nodes,
        "n_checked": result.n_checked,
        "proved": result.proved and rank == 1,
        "node": rank,
        "solutions": [
            {"levels": one.levels, "loss": one.loss, "n_suppressed": one.n_suppressed}
            for one in result.best(MOST_SOLUTIONS)
        ],
    }
    return facts | ({"interrupted": True} if result.interrupted else {})
