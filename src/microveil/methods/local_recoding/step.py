"""Local recoding: each class of records is generalised only as far as necessary."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field

from microveil.arrays import Ints
from microveil.errors import ColumnError, InputError, InternalError, did_you_mean
from microveil.hierarchies import AnyHierarchy, Types, Unlisted
from microveil.labels.recoding import Recoding, at_any_level
from microveil.methods.local_recoding.labels import ClassLabels
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_requirements import (
    Models,
    further_models,
    judge_of,
    keys_of,
    refuse_hopeless,
    refuse_strangers,
    refuse_too_few,
)
from microveil.methods.parts.facts import class_facts
from microveil.methods.parts.household_classes import classes_by_household
from microveil.privacy import AlphaKAnonymity, KAnonymity, LDiversity, PrivacyModel
from microveil.search.lattice.goals import Goals
from microveil.search.lattice.record_judge import RecordJudge
from microveil.search.lattice.space import Space
from microveil.search.local_recoding.space import CellLoss, RecodingSpace
from microveil.tables import Missing, Table
from microveil.tables.roles import Columns

Algorithm = Literal["greedy", "rounds"]


class LocalRecoding(Method):
    """Generalise each class of records along the hierarchies, with as little loss as can be found.

    Every record is assigned to a class of at least k; for each key, a class publishes the lowest
    label that its records have in common. ``greedy`` forms classes from the cheapest levels
    upwards, then lowers the loss by moving and swapping records between nearby classes (simulated
    annealing). ``rounds`` repeats full-domain generalisation over the records that are still
    suppressed (ARX's local recoding). The same seed gives the same result. Time grows nearly
    linearly with the distinct key combinations, memory with a small multiple of the keys.

    >>> tree = {"FR": ["Lyon", "Paris"], "IT": ["Rome", "Bari"]}
    >>> step = LocalRecoding(k=2, columns=["town"], hierarchies={"town": {"tree": tree}})
    >>> towns = {"town": ["Lyon", "Rome", "Paris", "Rome"]}
    >>> step.protect(towns, seed=1)["town"].to_list()
    ['FR', 'Rome', 'FR', 'Rome']
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("unlisted",)
    method: Literal["local_recoding"] = "local_recoding"
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How the values of a key generalise, by column: a builder, the path of a file, or a ``tree``;
    by default according to the column's type."""
    suppression_share: float = Field(default=0.0, ge=0, le=1)
    """Largest share of the records that may be removed where that loses less than keeping them."""
    loss: CellLoss = "loss"
    """Loss of a label: the share of the hierarchy's values under it (``loss``), its level
    (``precision``, ``height``), or the information it hides (``non_uniform_entropy``,
    ``entropy_based``)."""
    k: int | None = Field(default=None, ge=2)
    """Smallest number of records (people, if the roles name an entity) in a class; taken from the
    recipe's requirements unless k or models are given."""
    models: Models = ()
    """Privacy models that every class must satisfy, such as l-diversity."""
    algorithm: Algorithm = "greedy"
    """How classes are formed: ``greedy`` loses less; ``rounds`` is ARX's algorithm."""
    round_share: float = Field(default=0.01, ge=0, le=1)
    """With ``rounds``: the share of the remaining records that a round must assign to classes."""
    weights: Mapping[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = Field(
        default_factory=dict
    )
    """Importance of keys, by column; 1 by default. Only ratios matter."""
    steps: int | None = Field(default=None, ge=0)
    """With ``greedy``: number of changes proposed to lower the loss; by default 60 per record, at
    most twenty million."""
    columns: Columns = ()
    """Keys; by default those of the roles."""
    unlisted: Unlisted = "error"
    """What happens to values that a hierarchy does not list: an error, or replacement by ``*``."""

    def toward(
        self,
        requirements: Sequence[PrivacyModel],
        missing: Missing = "category",  # noqa: ARG002  a missing key is a value here
    ) -> Self:
        """This step with a recipe's requirements as its models, if it names no goal itself."""
        if self.k is not None or self.models:
            return self
        return self.model_copy(update={"models": tuple(requirements)})

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Publish for each key what the records of a class have in common.

        Keys that describe a household are published alike for all its members.
        """
        self._least_size()
        return classes_by_household(self, table, rng, LocalRecoding._recode)

    def recodes(self, name: str, values: pl.Series, counts: NDArray[np.int64]) -> Recoding | None:
        """What each value becomes at any level: only the release shows which was chosen."""
        return at_any_level(self.hierarchies.get(name, Types()), values, counts)

    def _recode(self, table: Table, rng: np.random.Generator) -> Outcome:
        names = keys_of(table, self.columns, self.kind())
        refuse_strangers(self.hierarchies, names, self.kind())
        k = self._least_size()
        models = self._further(table)
        importance = self._importance(names)
        if table.height == 0:
            return Outcome(table, class_facts(np.empty(0, np.int64)) | {"n_suppressed": 0})
        refuse_hopeless(table, models)
        refuse_too_few(table.height, k, self.kind())
        goals = Goals.of(models, table, table.height, "original")
        keys = Space.of(
            table, names, self.hierarchies, unlisted=self.unlisted, sensitive=goals.columns()
        )
        space = RecodingSpace.of(keys, self.loss, importance)
        labels = self._classes(table, keys, space, goals, k, rng)
        return self._outcome(table, space, labels, k, models)

    def _least_size(self) -> int:
        """The class size required by k and the models."""
        if self.k is None and not self.models:
            raise InputError(
                "Step '{kind}' needs a goal: name k or models in the step, or require a "
                "model in the recipe.",
                kind=self.kind(),
            )
        least = [self.k or 1]
        for model in self.models:
            if isinstance(model, KAnonymity | AlphaKAnonymity):
                least.append(model.k)
            elif isinstance(model, LDiversity):
                least.append(math.ceil(model.l * (1 - 1e-9)))  # l values need l records
        return max(least)

    def _further(self, table: Table) -> Models:
        """The requirements that counting the records of a class does not cover."""
        everyone = further_models(table, self.k or 1, self.models, self.columns)
        if table.people is not None:
            return everyone if self.k is not None else self.models
        return tuple(model for model in everyone if type(model) is not KAnonymity)

    def _importance(self, names: Sequence[str]) -> list[float]:
        strangers = [name for name in self.weights if name not in names]
        if strangers:
            raise ColumnError(
                "Step '{kind}' has a weight for {strangers:quoted}, not one of its keys "
                "({names:quoted}).{hint}",
                kind=self.kind(),
                strangers=strangers,
                names=names,
                hint=did_you_mean(strangers[0], names),
            )
        weights = [self.weights.get(name, 1.0) for name in names]
        total = sum(weights)
        if total <= 0:
            raise InputError(
                "Step '{kind}' gives every key the weight 0. Raise at least one.", kind=self.kind()
            )
        return [weight * len(names) / total for weight in weights]

    def _classes(
        self,
        table: Table,
        keys: Space,
        space: RecodingSpace,
        goals: Goals,
        k: int,
        rng: np.random.Generator,
    ) -> Ints:
        """Class of each record; −1 if suppressed."""
        from microveil.search.local_recoding.mend import mend
        from microveil.search.local_recoding.nodes import best_node
        from microveil.search.local_recoding.requirements import can_improve, improve
        from microveil.search.local_recoding.search import Effort, recode, sweep

        most = math.floor(self.suppression_share * table.height + 1e-9)
        effort, greedy = Effort(k, most, self.steps), self.algorithm == "greedy"
        if greedy and not goals.models:
            return recode(space, effort, rng)
        rules = goals.rules(keys) if goals.compiled else None
        labels = sweep(space, k, 0.0 if greedy else self.round_share, rules)
        if not goals.models:
            few = int((labels < 0).sum()) <= most
            return labels if few else mend(space, labels, k, None, rng)
        labels = mend(space, labels, k, judge_of(table, goals.models), rng)
        covered = not (goals.others or goals.estimated)
        if greedy and rules and covered and can_improve(space, rules, k):
            labels = improve(space, labels, keys.sensitive, rules, effort, rng)
        below = ClassLabels.of(space, labels).mean_cost()
        node = best_node(space, k, most, below, rules, _accepting(table, space, goals.models))
        return labels if node is None else node[space.row_of_record]

    def _outcome(
        self, table: Table, space: RecodingSpace, labels: Ints, k: int, models: Models
    ) -> Outcome:
        found = ClassLabels.of(space, labels)
        if len(found.sizes) and found.sizes.min() < k:
            raise InternalError(
                "Local recoding made a class of {min} records.", min=found.sizes.min()
            )
        kept = table.filter(labels >= 0)
        columns, classes = found.publish(kept.frame, labels[labels >= 0])
        if models and not judge_of(kept, models)(classes, int(classes.max()) + 1).all():
            raise InputError(
                "The classes do not satisfy all models together. Leave models of the table as a "
                "whole out of the step's models, and list them in the recipe's requirements."
            )
        by_key = space.loss_by_key(found.cost_by_key())
        names = [stair.name for stair in space.stairs]
        facts: dict[str, Any] = class_facts(np.bincount(classes))
        facts["n_suppressed"] = table.height - kept.height
        facts["loss"] = space.loss(by_key)
        facts["loss_by_key"] = dict(zip(names, by_key.tolist(), strict=True))
        facts["level_shares"] = found.level_shares()
        return Outcome(kept.with_columns(columns), facts)


def _accepting(table: Table, space: RecodingSpace, models: Models) -> Callable[[Ints], bool]:
    """Whether the records that stay satisfy all models, given the class of each row."""
    judge = RecordJudge(table, models)

    def accepts(of_row: Ints) -> bool:
        of_record = of_row[space.row_of_record]
        return bool(judge(of_record, int(of_row.max()) + 1, of_record >= 0).all())

    return accepts
