"""Classes of records whose household columns are the same for all members of a household.

A step that forms classes of records would put the members of a household into different classes,
and their labels for one and the same town would differ. Classes are therefore formed in two
stages: first of households, by the columns that describe them, then of the records within each
class of households, by the other keys. A class of at least k households has at least k records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.errors import InputError
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.class_requirements import keys_of
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

    Further models concern the table as a whole, so with them, or with fewer than k households,
    the step is applied to the records at once; members may then differ, and the release says so.
    """
    names = keys_of(table, step.columns, step.kind())  # type: ignore[attr-defined]  # it has keys
    found = household_level(table, names, None, step.kind())
    k = _required(step)
    if found is None or k is None or len(found[0].first) < k:
        return change(step, table, rng)
    state = rng.bit_generator.state
    try:
        return _two_stages(step, table, names, found, k, rng, change)
    except InputError:
        # What the table allows as a whole, some class of households may not allow.
        rng.bit_generator.state = state
        return change(step, table, rng)


def _required(step: Any) -> int | None:
    """The k of a step; None if it is to satisfy more than k-anonymity."""
    if any(type(model) is not KAnonymity for model in step.models):
        return None
    return int(max([step.k or 1, *(model.k for model in step.models)]))


def _two_stages(
    step: S,
    table: Table,
    names: tuple[str, ...],
    found: tuple[Households, tuple[str, ...]],
    k: int,
    rng: np.random.Generator,
    change: _Change[S],
) -> Outcome:
    households, shared = found
    once = change(_only(step, shared, k), households.collapsed(table), rng)
    after = households.spread(table, once.table, shared)
    own = tuple(name for name in names if name not in shared)
    if own:
        after = _within(_only(step, own, k), after, shared, own, rng, change)
    classes = np.unique(pack(after.frame, list(names)).values, return_inverse=True)[1]
    facts = class_facts(np.bincount(classes).astype(np.int64))
    withheld = {
        name: after.frame[name].null_count() - table.frame[name].null_count() for name in names
    }
    facts |= {"n_withheld": withheld, "n_suppressed": 0}
    facts |= {"household_columns": list(shared), "n_households": len(households.first)}
    return Outcome(after, facts)


def _only(step: S, columns: tuple[str, ...], k: int) -> S:
    """The step on some of its keys; no record is removed, for that would divide a household."""
    changes: dict[str, Any] = {"columns": columns, "k": k, "models": ()}
    for field in ("hierarchies", "weights"):
        given = getattr(step, field, None)
        if isinstance(given, Mapping):
            changes[field] = {name: value for name, value in given.items() if name in columns}
    if hasattr(step, "suppression_share"):
        changes["suppression_share"] = 0.0
    return step.model_copy(update=changes)


def _within(
    step: S,
    table: Table,
    shared: tuple[str, ...],
    own: tuple[str, ...],
    rng: np.random.Generator,
    change: _Change[S],
) -> Table:
    """Apply the step to the records of each class of households by itself."""
    _, of_record = np.unique(pack(table.frame, list(shared)).values, return_inverse=True)
    order = np.argsort(of_record, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(of_record))[:-1])
    frames = [change(step, table.take(part), rng).table.frame.select(own) for part in parts]
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return table.with_columns([_joined([frame[name] for frame in frames], place) for name in own])


def _joined(parts: list[pl.Series], place: NDArray[np.int64]) -> pl.Series:
    """The parts of a column as one; where one was generalised, all are text."""
    if len({part.dtype for part in parts}) > 1:
        parts = [part.cast(pl.String) for part in parts]
    return pl.concat(parts).gather(place)
