"""Classes of records whose household columns are the same for all members of a household.

A step that forms classes of records would put the members of a household into different classes,
and their labels for one and the same town would differ. Classes are therefore formed in two
stages: first of households, by the columns that describe them, then of the records within each
class of households, by the other keys. A class of at least k households has at least k records.

Further models are judged on the records of the whole table. In the second stage each part is cut
with the models in mind; where a class still violates one, and in the first stage, classes of twice
the size are tried: of the part concerned, or of all households.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_requirements import (
    Models,
    further_models,
    judge_of,
    keys_of,
    refuse_hopeless,
)
from microveil.methods.parts.facts import class_facts
from microveil.methods.parts.households import Households, household_level
from microveil.privacy import KAnonymity
from microveil.tables import Table
from microveil.tables.codes import pack

S = TypeVar("S", bound=Method)
_Change = Callable[[S, Table, np.random.Generator], Outcome]


def classes_by_household(
    step: S, table: Table, rng: np.random.Generator, change: _Change[S]
) -> Outcome:
    """Apply a step that forms classes of at least k records, in two stages where it must be.

    With fewer than k households, or where two stages cannot satisfy the models, the step is applied
    to the records at once; members may then differ, and the release says so.
    """
    names = keys_of(table, step.columns, step.kind())  # type: ignore[attr-defined]  # it has keys
    found = household_level(table, names, None, step.kind())
    k = _least(step)
    if found is None or len(found[0].first) < k:
        return change(step, table, rng)
    models = _further(step, table, k)
    refuse_hopeless(table, models)
    state = rng.bit_generator.state if step.draws else None
    try:
        return _Stages(step, names, found[1], k, models, rng, change).outcome(table, found[0])
    except InputError:
        # What the table allows as a whole, some class of households may not allow.
        if state is not None:
            rng.bit_generator.state = state
        return change(step, table, rng)


def _least(step: Any) -> int:
    """The class size that k and the models ask for."""
    return int(max([step.k or 1, *(getattr(model, "k", 1) for model in step.models)]))


def _further(step: Any, table: Table, k: int) -> Models:
    """The models that counting records does not cover."""
    everyone = further_models(table, k, step.models, step.columns)
    if table.people is not None:
        return everyone
    return tuple(model for model in everyone if type(model) is not KAnonymity)


@dataclass(frozen=True, eq=False)
class _Stages(Generic[S]):
    """A step in two stages: households by the columns they share, then records by the others."""

    step: S
    names: tuple[str, ...]
    shared: tuple[str, ...]
    k: int
    models: Models
    rng: np.random.Generator
    change: _Change[S]

    def outcome(self, table: Table, households: Households) -> Outcome:
        before, after = self._of_households(table, households)
        own = tuple(name for name in self.names if name not in self.shared)
        if own:
            after = self._within(after, own)
        facts = class_facts(np.bincount(_number_classes(after, self.names)))
        facts["n_withheld"] = {
            name: after.frame[name].null_count() - before.frame[name].null_count()
            for name in self.names
        }
        facts["n_suppressed"] = table.height - after.height
        facts |= {"household_columns": list(self.shared), "n_households": len(households.first)}
        return Outcome(after, facts)

    def _of_households(self, table: Table, households: Households) -> tuple[Table, Table]:
        """The records that stay, and those with labels by class of households."""
        size, n_households = self.k, len(households.first)
        while True:
            before, after = self._first(table, households, size)
            if not len(self._find_refused(after, self.shared)):
                return before, after
            if size == n_households:
                raise InputError("No class of households satisfies the models.")
            size = min(2 * size, n_households)

    def _first(self, table: Table, households: Households, size: int) -> tuple[Table, Table]:
        """Classes of at least ``size`` households; those removed are removed with all members."""
        collapsed = households.collapse(table)
        members = np.bincount(households.of_record)
        share = float(getattr(self.step, "suppression_share", 0.0))
        allowed = math.floor(share * table.height + 1e-9)
        while True:
            once = self.change(self._only(self.shared, size, share), collapsed, self.rng).table
            kept = _flag_kept(collapsed, once)
            removed = int(members[~kept].sum())
            if removed <= allowed:
                break
            share = share * allowed / removed if share * len(members) >= 1 else 0.0
        stays = kept[households.of_record]
        before = table.filter(stays)
        home = (np.cumsum(kept) - 1)[households.of_record[stays]]
        labels = once.frame.select(self.shared).iter_columns()
        return before, before.with_columns([label.gather(home) for label in labels])

    def _within(self, table: Table, own: tuple[str, ...]) -> Table:
        """Apply the step to the records of each class of households by itself."""
        of_record = _number_classes(table, self.shared)
        order = np.argsort(of_record, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(of_record))[:-1])
        sizes, frames = [self.k] * len(parts), [pl.DataFrame()] * len(parts)
        stale, models = list(range(len(parts))), self._of_classes()
        while stale:
            for part in stale:
                frames[part] = self._divide(table.take(parts[part]), own, sizes[part], models)
            after = table.with_columns(_join_parts(frames, order, own))
            refused = {int(part) for part in of_record[self._find_refused(after, self.names)]}
            stale = sorted(part for part in refused if sizes[part] < len(parts[part]))
            if refused and not stale:
                raise InputError("No class of records within a class of households is accepted.")
            for part in stale:
                sizes[part] = min(2 * sizes[part], len(parts[part]))
            models = ()
        return after

    def _of_classes(self) -> Models:
        """The models that a part can be asked to satisfy by itself."""
        return tuple(getattr(self.step, "models", ())) if self.models else ()

    def _divide(self, part: Table, own: tuple[str, ...], size: int, models: Models) -> pl.DataFrame:
        """The labels of a part's records; without the models where the part alone defies them."""
        step = self._only(own, size, 0.0)
        if models:
            aimed = step.model_copy(update={"models": models})
            try:
                return self.change(aimed, part, self.rng).table.frame.select(own)
            except InputError:
                pass
        return self.change(step, part, self.rng).table.frame.select(own)

    def _find_refused(self, table: Table, names: tuple[str, ...]) -> Longs:
        """The records in classes that violate a model."""
        if not self.models or not table.height:
            return np.empty(0, dtype=np.int64)
        classes = _number_classes(table, names)
        accepted = judge_of(table, self.models)(classes.astype(np.int32), int(classes.max()) + 1)
        return np.flatnonzero(~accepted[classes])

    def _only(self, columns: tuple[str, ...], k: int, share: float) -> S:
        """The step on some of its keys; single records stay, lest a household be divided."""
        changes: dict[str, Any] = {"columns": columns, "k": k, "models": ()}
        for field in ("hierarchies", "weights"):
            given = getattr(self.step, field, None)
            if isinstance(given, Mapping):
                changes[field] = {name: one for name, one in given.items() if name in columns}
        if hasattr(self.step, "suppression_share"):
            changes["suppression_share"] = share
        return self.step.model_copy(update=changes)


def _number_classes(table: Table, names: tuple[str, ...]) -> Longs:
    """Class of each record by some columns, from 0."""
    return np.unique(pack(table.frame, list(names)).values, return_inverse=True)[1].ravel()


def _flag_kept(before: Table, after: Table) -> NDArray[np.bool_]:
    """Which rows of a table are still there."""
    if before.rows is None or after.rows is None or before.height == after.height:
        return np.ones(before.height, dtype=np.bool_)
    return np.isin(before.rows, after.rows)


def _join_parts(
    frames: list[pl.DataFrame], order: Longs, names: tuple[str, ...]
) -> list[pl.Series]:
    """The columns of parts as one, in the order of the table."""
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return [_column([frame[name] for frame in frames]).gather(place) for name in names]


def _column(parts: list[pl.Series]) -> pl.Series:
    """The parts of a column as one; where one was generalised, all are text."""
    if len({part.dtype for part in parts}) > 1:
        parts = [part.cast(pl.String) for part in parts]
    return pl.concat(parts)
