"""Goals: privacy models as rules that a kernel applies to classes; other models judge records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from microveil.errors import InputError
from microveil.hierarchies import build_hierarchy
from microveil.privacy import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    KMap,
    LDiversity,
    PopulationUniqueness,
    PrivacyModel,
    TCloseness,
)
from microveil.privacy.parts.distribution import strip_text
from microveil.privacy.parts.sensitive import SensitiveModel
from microveil.search.lattice.population import PopulationModel, with_population
from microveil.search.lattice.uniques import of_uniques
from microveil.tables import Classes, Roles, Table
from microveil.tables.values import as_text, rows_of

if TYPE_CHECKING:
    from microveil.kernels.lattice.rules import Rules
    from microveil.search.lattice.space import SensitiveColumn, Space

Baseline = Literal["released", "original"]
"""Reference for models of distributions: the records that stay, or all."""

COMPILED = (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KAnonymity,
    LDiversity,
    TCloseness,
)
CLOSE = ("equal", "total_variation", "ordered", "hierarchical")
"""Distances of t-closeness that the kernel knows."""


@dataclass(frozen=True)
class Goals:
    """The goal of a search: models, and how much may be suppressed for them."""

    models: tuple[PrivacyModel, ...]
    roles: Roles
    n_records: int
    most_suppressed: int
    baseline: Baseline = "released"
    by_person: bool = False
    """Whether people are counted, who may have several records."""
    untidy: tuple[str, ...] = ()
    """Columns with text that differs in trailing blanks: l-diversity treats these as equal."""

    @classmethod
    def of(
        cls,
        models: Sequence[PrivacyModel],
        table: Table,
        most_suppressed: int,
        baseline: Baseline = "released",
    ) -> Goals:
        """The goals for a table."""
        diverse = (model for model in models if isinstance(model, LDiversity))
        columns = dict.fromkeys(name for model in diverse for name in model.reads(table.roles))
        there = [table.frame[name] for name in columns if name in table.columns]
        untidy = tuple(column.name for column in there if strip_text(column) is not column)
        return cls(
            tuple(models),
            table.roles,
            table.height,
            most_suppressed,
            baseline,
            table.people is not None,
            untidy,
        )

    @property
    def compiled(self) -> tuple[PrivacyModel, ...]:
        """Models that the kernel judges; a class of k people has at least k records."""
        if self.by_person:
            return tuple(model for model in self.models if type(model) is KAnonymity)
        return tuple(model for model in self.models if self._is_compiled(model))

    @property
    def others(self) -> tuple[PrivacyModel, ...]:
        """Models that are checked record by record: with an entity all, since they count people."""
        if self.by_person:
            return self.models
        return tuple(
            model
            for model in self.models
            if not self._is_compiled(model)
            and model not in self.populated
            and model not in self.estimated
        )

    @property
    def estimated(self) -> tuple[PopulationUniqueness, ...]:
        """Models of unique records, of which as few as possible are suppressed."""
        return () if self.by_person else of_uniques(self.models)

    @property
    def exact(self) -> bool:
        """Whether the minimum suppression is known exactly for every node."""
        return not self.most_suppressed or all(
            model.estimator == "zayatz" and model.population_size is not None
            for model in self.estimated
        )

    @property
    def populated(self) -> tuple[PopulationModel, ...]:
        """Models that count people in a population, which is generalised with the table."""
        return with_population(self.models)

    def _is_compiled(self, model: PrivacyModel) -> bool:
        if isinstance(model, KMap):
            return model.sampled
        if (
            isinstance(model, LDiversity)
            and not model.missing_counts
            and any(name in self.untidy for name in model.reads(self.roles))
        ):
            return False
        if isinstance(model, TCloseness) and model.distance not in CLOSE:
            return False
        # A class of the user's own may judge otherwise, whatever it is derived from.
        return type(model) in COMPILED

    @property
    def monotone(self) -> bool:
        """Whether a solution stays one when a key is generalised further."""
        return not self.blocking

    @property
    def blocking(self) -> tuple[str, ...]:
        """Models that a further generalisation of a key may violate."""
        return tuple(
            model.kind()
            for model in self.models
            if not model.monotone
            or (self.most_suppressed and (self.by_person or not _by_growth(model)))
        )

    @property
    def suppression_falls(self) -> bool:
        """Whether suppression never increases when a key is generalised further."""
        return not self.by_person and all(_by_growth(model) for model in self.models)

    def columns(self) -> tuple[str, ...]:
        """Sensitive columns used by the compiled models."""
        names: dict[str, None] = {}
        for model in self.compiled:
            if isinstance(model, SensitiveModel):
                names |= dict.fromkeys(self._columns(model))
        return tuple(names)

    def _columns(self, model: SensitiveModel) -> tuple[str, ...]:
        columns = model.reads(self.roles)
        if not columns:
            raise InputError(
                "{kind} needs a sensitive column: name it as `column`, or list it in "
                "roles.sensitive.",
                kind=model.kind(),
            )
        return columns

    def refuse_unusable(self, table: Table, keys: Sequence[str] = ()) -> None:
        """Raise for models that lack what they need, or that no generalisation can be judged by."""
        for model in self.models:
            refuse_keys(model, self.roles, keys)
            if getattr(model, "population", None) is None:
                model.verify(Classes.of(table, ()))
            elif model not in self.populated or self.by_person:
                raise InputError(
                    "Model '{kind}' looks keys up in a population, which is not possible "
                    "while they are being generalised, if there is an entity or if the model "
                    "is one of your own. Put it among the requirements of a recipe whose "
                    "step names its own goal.",
                    kind=model.kind(),
                )

    def rules(self, space: Space) -> Rules:
        """The rules of the compiled models."""
        columns = {column.name: column for column in space.sensitive}
        drawn = _Drawn(self.n_records, self.most_suppressed)
        for model in self.compiled:
            drawn.add(model, [columns[name] for name in _name(model, self.roles)])
        return drawn.rules(space, released=self.baseline == "released")


def refuse_keys(model: PrivacyModel, roles: Roles, keys: Sequence[str]) -> None:
    """Raise where a model is about a column that is being generalised as a key."""
    both = [name for name in _name(model, roles) if name in keys]
    if both:
        raise InputError(
            "Model '{kind}' is about {both:quoted}, which is a key as well: a step cannot "
            "coarsen it and meet a requirement on its values. Name the other keys in the "
            "step's `columns`, or leave the model to the recipe's requirements and give a k.",
            kind=model.kind(),
            both=both,
        )


def _name(model: PrivacyModel, roles: Roles) -> tuple[str, ...]:
    return model.reads(roles) if isinstance(model, SensitiveModel) else ()


def _by_growth(model: PrivacyModel) -> bool:
    """Whether a class that satisfies the model does so whatever is merged into it."""
    if type(model) is LDiversity:
        return model.variant == "distinct"
    return type(model) in (KAnonymity, KMap)


@dataclass
class _Drawn:
    """Rules under construction."""

    n_records: int
    most: int
    least: int = 1
    rows: list[tuple[int, int, int, float, float, int, int]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    n_nodes: int = 0

    def add(self, model: PrivacyModel, columns: Sequence[SensitiveColumn]) -> None:
        """Add the rules of one model, for each of its columns."""
        if isinstance(model, KMap):
            self.least = max(self.least, model.estimated_k(self.n_records))
        elif isinstance(model, KAnonymity | AlphaKAnonymity):
            self.least = max(self.least, model.k)
        elif isinstance(model, AverageRisk):
            self._add_average(model)
        for column in columns:
            self._add_column(model, column)

    def _add_average(self, model: AverageRisk) -> None:
        from microveil.kernels.lattice import rules as judge

        self._row(judge.AVERAGE, None, model.threshold)
        if model.record_risk is not None:
            self._row(judge.FEW_ABOVE, None, model.record_risk, model.record_share)

    def _add_column(self, model: PrivacyModel, column: SensitiveColumn) -> None:
        from microveil.kernels.lattice import rules as judge

        if isinstance(model, LDiversity):
            kinds = {
                "distinct": judge.DISTINCT,
                "entropy": judge.ENTROPY,
                "recursive": judge.RECURSIVE,
            }
            # l values need l records; entropy reaches l only with at least as many values.
            self.least = max(self.least, math.ceil(model.l * (1 - judge.ROUNDING)))
            gap = not model.missing_counts and column.labels.null_count() > 0
            self._row(kinds[model.variant], column, model.l, model.c or 0.0, gap=gap)
        elif isinstance(model, TCloseness):
            self._add_closeness(model, column)
        elif isinstance(model, AlphaKAnonymity):
            self._row(judge.SHARE, column, model.alpha, numbers=_flag_values(model, column))
        elif isinstance(model, BetaLikeness):
            self._row(judge.GAIN, column, model.beta, float(model.variant == "enhanced"))
        elif isinstance(model, DeltaDisclosure):
            self._row(judge.CHANGE, column, model.delta)

    def _add_closeness(self, model: TCloseness, column: SensitiveColumn) -> None:
        from microveil.kernels.lattice import rules as judge

        if model.distance in ("equal", "total_variation"):
            self._row(judge.EQUAL, column, model.t)
        elif model.distance == "ordered":
            self._row(judge.ORDERED, column, model.t, numbers=_places(model, column))
        else:
            nodes = _tree_nodes(model, column) + self.n_nodes
            self.n_nodes = int(nodes.max(initial=self.n_nodes - 1)) + 1
            numbers = nodes.ravel().tolist()
            self._row(judge.TREE, column, model.t, numbers=numbers, height=nodes.shape[1])

    def _row(
        self,
        kind: int,
        column: SensitiveColumn | None,
        limit: float,
        second: float = 0.0,
        *,
        numbers: Sequence[int] = (),
        height: int = 0,
        gap: bool = False,
    ) -> None:
        """Add a rule; with a gap, one that ignores the last value, which is missing."""
        first, last = (0, 0) if column is None else (column.first, column.last - gap)
        self.rows.append((kind, first, last, limit, second, len(self.numbers), height))
        self.numbers += numbers

    def rules(self, space: Space, *, released: bool) -> Rules:
        """The rules as arrays."""
        from microveil.kernels.lattice.rules import Rules

        kind, first, last, limit, second, helper, height = (
            [list(one) for one in zip(*self.rows, strict=True)] if self.rows else [[]] * 7
        )
        totals = [
            np.bincount(one.codes, weights=space.counts, minlength=len(one.labels)).astype(np.int64)
            for one in space.sensitive
        ]
        return Rules(
            least=self.least,
            most=self.most,
            kind=np.array(kind, dtype=np.int64),
            first=np.array(first, dtype=np.int64),
            last=np.array(last, dtype=np.int64),
            limit=np.array(limit, dtype=np.float64),
            second=np.array(second, dtype=np.float64),
            helper=np.array(helper, dtype=np.int64),
            height=np.array(height, dtype=np.int64),
            numbers=np.array(self.numbers, dtype=np.int32),
            n_nodes=self.n_nodes,
            totals=np.concatenate([np.empty(0, np.int64), *totals]),
            released=released,
        )


def _flag_values(model: AlphaKAnonymity, column: SensitiveColumn) -> list[int]:
    """1 for each value that α applies to."""
    if not model.value:
        return [1] * len(column.labels)
    return as_text(column.labels).is_in(list(model.value)).fill_null(False).cast(pl.Int8).to_list()


def _places(model: TCloseness, column: SensitiveColumn) -> list[int]:
    """The values from low to high; missing comes last."""
    if not model.order:
        return list(range(len(column.labels)))
    wanted = pl.Series([*model.order], dtype=pl.String)
    place = rows_of(as_text(column.labels.drop_nulls()), wanted)
    order: list[int] = np.argsort(place).tolist()
    return [*order, len(order)] if column.labels.null_count() else order


def _tree_nodes(
    model: TCloseness, column: SensitiveColumn
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Node of each value at each level below the top, levels numbered consecutively."""
    known = column.labels.drop_nulls()
    hierarchy = build_hierarchy(model.hierarchy, known)
    levels = hierarchy.codes[rows_of(known, hierarchy.values)][:, : hierarchy.height]
    if column.labels.null_count():
        levels = np.vstack([levels, levels.max(axis=0, initial=-1) + 1])
    width = int(levels.max(initial=-1)) + 1
    return levels.astype(np.int64) + width * np.arange(hierarchy.height)
