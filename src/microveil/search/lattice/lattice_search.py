"""LatticeSearch: the parameters of a search, and the search itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from microveil.errors import ColumnError, InputError, RolesError, did_you_mean
from microveil.hierarchies import AnyHierarchy, Unlisted
from microveil.privacy import MODELS, KAnonymity, PrivacyModel
from microveil.progress import Progress, silent
from microveil.search.lattice.examiner import Examiner
from microveil.search.lattice.goals import Baseline, Goals
from microveil.search.lattice.journal import Journal, Limits
from microveil.search.lattice.losses import Aggregate, LossName, LossRule
from microveil.search.lattice.outcome import result_of
from microveil.search.lattice.result import SearchResult
from microveil.search.lattice.space import Space
from microveil.search.lattice.strategies.best_first import best_first
from microveil.search.lattice.strategies.branch_and_bound import branch_and_bound
from microveil.search.lattice.strategies.flash import flash
from microveil.search.lattice.strategies.incognito import incognito
from microveil.search.lattice.strategies.ola import ola
from microveil.search.lattice.strategies.samarati import samarati
from microveil.specs import Spec
from microveil.tables import Roles, Table, as_table
from microveil.tables.door import refuse_nested
from microveil.tables.roles import Columns
from microveil.texts import phrase

Strategy = Literal[
    "auto", "flash", "branch_and_bound", "ola", "samarati", "incognito", "best_first"
]
STRATEGIES = {
    "flash": flash,
    "branch_and_bound": branch_and_bound,
    "ola": ola,
    "samarati": samarati,
    "incognito": incognito,
    "best_first": best_first,
}
FOR_MONOTONE = ("flash", "ola", "samarati", "incognito")
"""Strategies that infer from a solution that all nodes above it are solutions."""

MOST_NODES = 500_000
"""Lattices up to this size are searched until the optimum is proved."""
MOST_CHECKS = 20_000
"""Nodes checked in larger lattices, by default."""

Level = Annotated[int, Field(ge=0)] | str


class LatticeSearch(Spec):
    """The goal of a search over all generalisations of the keys, and how to search."""

    k: int | None = Field(default=None, ge=2)
    """Smallest number of records (people, if the roles name an entity) in a class."""
    models: tuple[Annotated[PrivacyModel, MODELS], ...] = ()
    """Further privacy models that every class must satisfy. With neither ``k`` nor models, the goal
    is the recipe's requirements."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How the values of a key generalise, by column: a builder, the path of a file, or a ``tree``;
    by default according to the column's type."""
    suppression_share: float = Field(default=0.0, ge=0, le=1)
    """Largest share of the records that may be removed instead of generalising further."""
    loss: LossName = "loss"
    """Loss to minimise."""
    aggregate: Aggregate | None = None
    """How the losses of the keys are aggregated; the default depends on the loss."""
    weights: Mapping[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """Importance of keys, by column; 1 by default. Only ratios matter."""
    generalization_share: float = Field(default=0.5, ge=0, le=1)
    """Balance: at 0 suppression is free, at 1 generalisation, at ½ both count in full."""
    ignore_suppression: bool = False
    """Whether the loss ignores the cost of suppression (ARX's monotone variants)."""
    strategy: Strategy = "auto"
    """Search strategy; ``auto`` picks the fastest that proves its result."""
    columns: Columns = ()
    """Keys; by default those of the roles."""
    levels: Mapping[str, Level] = Field(default_factory=dict)
    """Fixed levels, by column: a number or a name."""
    min_levels: Mapping[str, Level] = Field(default_factory=dict)
    """Lowest level of a key, by column."""
    max_levels: Mapping[str, Level] = Field(default_factory=dict)
    """Highest level of a key, by column."""
    baseline: Baseline = "released"
    """Reference for models of distributions (t-closeness and the like): the ``released`` records,
    or the ``original`` including removed ones (ARX)."""
    unlisted: Unlisted = "error"
    """What happens to values that a hierarchy does not list: an error, or replacement by ``*``."""
    node: int = Field(default=1, ge=1)
    """Which solution is taken: 1 the best, 2 the next best, and so on."""
    max_checks: int | None = Field(default=None, ge=1)
    """Largest number of nodes to check; the best so far is then used."""
    max_seconds: float | None = Field(default=None, gt=0)
    """Largest number of seconds to search; the best so far is then used."""

    @property
    def goal(self) -> tuple[PrivacyModel, ...]:
        """All models that the step itself names."""
        return (() if self.k is None else (KAnonymity(k=self.k),)) + self.models

    def search(self, table: Table, progress: Progress = silent) -> SearchResult:
        """Search the lattice of a table."""
        return self.search_with_examiner(table, progress)[1]

    def search_with_examiner(
        self, table: Table, progress: Progress = silent, counts: NDArray[np.int64] | None = None
    ) -> tuple[Examiner, SearchResult]:
        """The examiner of a table's lattice, and what the search found.

        ``counts`` are the records that each row stands for, one each by default. Models that are
        checked record by record cannot be goals then.
        """
        keys = self.keys(table)
        if not self.goal:
            raise InputError(
                "The search has no goal: give `k` or `models`, or run it in a recipe with "
                "requirements."
            )
        n_records = table.height if counts is None else int(counts.sum())
        most = math.floor(self.suppression_share * n_records + 1e-9)
        goals = replace(Goals.of(self.goal, table, most, self.baseline), n_records=n_records)
        self._refuse(table, goals)
        space = Space.of(
            table,
            keys,
            self.hierarchies,
            unlisted=self.unlisted,
            sensitive=goals.columns(),
            lowest={**self.min_levels, **self.levels},
            highest={**self.max_levels, **self.levels},
            counts=counts,
        )
        examiner = Examiner(table, space, goals, self._rule(keys))
        strategy, limits = self._strategy(examiner)
        journal = Journal(examiner, limits, progress)
        interrupted = False
        try:
            STRATEGIES[strategy](journal)
        except KeyboardInterrupt:
            interrupted = True
        result = result_of(journal, strategy, interrupted=interrupted)
        progress(space.n_nodes, space.n_nodes, "nodes")
        return examiner, result

    @property
    def _way_out(self) -> str:
        """What to do if the strategy does not suit the goal."""
        return phrase("Use `strategy: auto`.")

    def keys(self, table: Table) -> tuple[str, ...]:
        """The keys, after checking that they exist and that parameters name no other columns."""
        keys = self.columns or table.roles.quasi_identifiers
        if not keys:
            raise RolesError(
                "A search needs keys: name quasi_identifiers in the roles, or `columns`."
            )
        table.require(keys)
        refuse_nested(table.frame, list(keys), phrase("Generalising"))
        for what in ("hierarchies", "weights", "levels", "min_levels", "max_levels"):
            strangers = [name for name in getattr(self, what) if name not in keys]
            if strangers:
                raise ColumnError(
                    "`{what}` names {strangers:quoted}, which is not one of the keys "
                    "({keys:quoted}).{hint}",
                    what=what,
                    strangers=strangers,
                    keys=keys,
                    hint=did_you_mean(strangers[0], keys),
                )
        return tuple(keys)

    def _refuse(self, table: Table, goals: Goals) -> None:
        least = max((model.k for model in goals.models if isinstance(model, KAnonymity)), default=1)
        if table.height and goals.n_records < least:
            raise InputError(
                "No class can have k = {least}: the table has {n_records} records. Choose a "
                "smaller k, or protect more records at once.",
                least=least,
                n_records=goals.n_records,
            )
        goals.refuse_unusable(table, self.keys(table))

    def _rule(self, keys: tuple[str, ...]) -> LossRule:
        weights = tuple(self.weights.get(name, 1.0) for name in keys) if self.weights else ()
        largest = max(weights, default=1.0)
        if weights and largest == 0:
            raise InputError("All weights are 0. Give at least one key some importance.")
        if self.aggregate and not LossRule(self.loss).by_key:
            raise InputError(
                "The loss '{loss}' is one number for all keys: leave out `aggregate`.",
                loss=self.loss,
            )
        return LossRule(
            self.loss,
            self.aggregate,
            self.ignore_suppression,
            self.generalization_share,
            tuple(weight / largest for weight in weights),
        )

    def _strategy(self, examiner: Examiner) -> tuple[str, Limits]:
        goals, costs = examiner.goals, examiner.costs
        limits = Limits(self.max_checks, self.max_seconds)
        if self.strategy in FOR_MONOTONE and not goals.monotone:
            raise InputError(
                "Strategy '{strategy}' needs goals that still hold when a key is generalised "
                "further, unlike {blocking:quoted}{suppressing}. {way_out}",
                strategy=self.strategy,
                blocking=goals.blocking,
                suppressing=phrase(" with suppression") if goals.most_suppressed else "",
                way_out=self._way_out,
            )
        large = examiner.space.n_nodes > MOST_NODES
        if self.strategy != "auto":
            if large and self.strategy != "best_first":
                raise InputError(
                    "The lattice has {n_nodes} nodes, too many for strategy '{strategy}' (at "
                    "most {most_nodes}). Use `strategy: best_first`, or narrow it by "
                    "`min_levels` and `max_levels`.",
                    n_nodes=examiner.space.n_nodes,
                    strategy=self.strategy,
                    most_nodes=MOST_NODES,
                )
            return self.strategy, limits
        if large:
            unlimited = limits == Limits()
            return "best_first", Limits(MOST_CHECKS) if unlimited else limits
        monotone = goals.monotone and goals.most_suppressed == 0
        if monotone:
            return "flash", limits
        asking = goals.others or goals.estimated or goals.populated
        best_first = bool(asking) and costs.bounded_beforehand
        return "best_first" if best_first else "branch_and_bound", limits

    def with_levels_of(self, facts: Mapping[str, Any]) -> Any:
        """The same step with the levels it found fixed: for new data, or without a search."""
        settled = {"levels": dict(facts["levels"]), "strategy": "auto", "node": 1}
        return self.model_copy(update=settled)


def search_lattice(
    data: Any, roles: Roles | None = None, *, progress: Progress = silent, **parameters: Any
) -> SearchResult:
    """Search all generalisations of a table's keys, without releasing anything.

    The parameters are those of :class:`LatticeSearch`. Ctrl-C ends the search; the result so far is
    returned, marked as interrupted.

    >>> ages = {"age": [31, 32, 45, 47], "sex": ["f", "f", "m", "m"]}
    >>> roles = Roles(quasi_identifiers=["age", "sex"])
    >>> decades = {"age": {"hierarchy": "intervals", "width": 10}}
    >>> search_lattice(ages, roles, k=2, hierarchies=decades).optimum.levels
    {'age': 1, 'sex': 0}
    """
    wanted = LatticeSearch.parse(parameters)
    result = wanted.search(as_table(data, roles), progress)

    def release(levels: Mapping[str, int], seed: int | None) -> Any:
        # Releases are made two floors up; that room is loaded when the first one is asked for.
        room = import_module("microveil.app.lattices")
        return room.release_levels(wanted, levels, data, roles, seed)

    return replace(result, _releaser=release)
