"""Tallies: the integers to which noise is added, counted from a prepared table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.dp.keys import BinCode, KeyCode
from microveil.dp.parts import Choice, Part, Term, Vector

if TYPE_CHECKING:
    from microveil.dp.grids import MomentCode, SumCode
    from microveil.dp.prepared import Prepared
    from microveil.dp.queries.base import Query

    Axis = KeyCode | BinCode


CELL = "\0cell"
FOUND = "\0found"


@dataclass(frozen=True)
class Groups:
    """The groups of a breakdown, in the order of their combinations."""

    axes: tuple[Axis, ...]
    """Where the codes of public keys and bins come from."""
    labels: tuple[tuple[Any, ...], ...]
    """The labels along each axis; private keys are the first axis, with a tuple for each."""
    found: pl.DataFrame | None = None
    """Private keys that showed, with their numbers."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many labels each axis has."""
        return tuple(len(one) for one in self.labels)

    @property
    def n(self) -> int:
        """How many groups there are."""
        return int(np.prod(self.sizes, dtype=np.int64)) if self.sizes else 1

    def rows(self) -> list[tuple[Any, ...]]:
        """The labels of each group; those of private keys unpacked."""
        grid: Any = [[]]
        if self.sizes:
            grid = np.indices(self.sizes).reshape(len(self.sizes), -1).T
        picked = [[self.labels[at][one] for at, one in enumerate(row)] for row in grid]
        if self.found is None:
            return [tuple(row) for row in picked]
        return [(*row[0], *row[1:]) for row in picked]


def public_groups(query: Query, part: Part, prepared: Prepared) -> Groups:
    """The groups of a query whose keys are public."""
    axes: tuple[Axis, ...] = (*(KeyCode(name) for name in query.by), *_own_axes(part))
    labels = tuple(axis.labels(prepared.declaration, query.join) for axis in axes)
    return Groups(axes, labels)


def found_groups(
    query: Query, part: Part, prepared: Prepared, keys: list[tuple[Any, ...]]
) -> Groups:
    """The groups of a query whose keys were private, once some of these have appeared."""
    axes = _own_axes(part)
    labels = tuple(axis.labels(prepared.declaration, query.join) for axis in axes)
    schema = prepared.frame(query.join).select(query.by).schema
    found = pl.DataFrame(keys, schema=schema, orient="row").with_row_index(FOUND)
    return Groups(axes, (tuple(keys), *labels), found)


def _own_axes(part: Part) -> tuple[Axis, ...]:
    return part.axes if isinstance(part, Vector) else ()


def tally(prepared: Prepared, query: Query, part: Vector, into: Groups) -> Longs:
    """The terms of every group (groups × terms)."""
    factors = list(dict.fromkeys(factor for term in part.terms for factor in term.factors))
    frame, names = prepared.code_columns([*into.axes, *factors], query.join)
    keys = names[: len(into.axes)]
    called = dict(zip(factors, names[len(into.axes) :], strict=True))
    condition = prepared.condition(query.where, part.complete, query.join)
    sums = [_sum(term, called).alias(str(at)) for at, term in enumerate(part.terms)]
    if not into.labels:
        return _without_groups(frame, condition, part, sums)
    plan = _with_cells(frame, condition, query, into, keys)
    found = _limit_groups(plan, prepared, [CELL]).group_by(CELL).agg(sums).collect()
    result = np.zeros((into.n, len(part.terms)), dtype=np.int64)
    result[found[CELL].to_numpy()] = found.drop(CELL).to_numpy()
    return result


def _with_cells(
    frame: pl.DataFrame, condition: pl.Expr | None, query: Query, into: Groups, keys: list[str]
) -> pl.LazyFrame:
    """Rows that count, with the number of their group."""
    plan = frame.lazy() if condition is None else frame.lazy().filter(condition)
    if into.found is not None:
        plan = plan.join(into.found.lazy(), on=list(query.by), how="inner", nulls_equal=True)
        keys = [FOUND, *keys]
    cell = pl.col(keys[0]).cast(pl.Int64)
    for name, size in zip(keys[1:], into.sizes[1:], strict=True):
        cell = cell * size + pl.col(name)
    return plan.with_columns(cell.alias(CELL)).filter(pl.col(CELL).is_not_null())


def _without_groups(
    frame: pl.DataFrame, condition: pl.Expr | None, part: Vector, sums: list[pl.Expr]
) -> Longs:
    counting = all(not term.factors and term.distinct is None for term in part.terms)
    if counting:
        n = frame.height if condition is None else frame.select(condition.sum()).item()
        return np.array([[n or 0] * len(part.terms)], dtype=np.int64)
    kept = frame.lazy() if condition is None else frame.lazy().filter(condition)
    return kept.select(sums).collect().to_numpy().astype(np.int64)


def _sum(term: Term, called: dict[SumCode | MomentCode, str]) -> pl.Expr:
    if term.distinct is not None:
        return pl.col(term.distinct).n_unique().cast(pl.Int64)
    if not term.factors:
        return pl.len().cast(pl.Int64)
    product = pl.col(called[term.factors[0]])
    for factor in term.factors[1:]:
        product = product * pl.col(called[factor])
    return product.sum().cast(pl.Int64)


def _limit_groups(plan: pl.LazyFrame, prepared: Prepared, keys: list[str]) -> pl.LazyFrame:
    """Rows in the first groups of each entity, up to the declared number of groups."""
    entity = prepared.declaration.entity
    if entity is None or entity.groups >= entity.max_rows:
        return plan
    both = [entity.column, *(key for key in keys if key != entity.column)]
    pairs = plan.select(both).unique(maintain_order=True)
    place = pl.int_range(pl.len(), dtype=pl.UInt32).over(entity.column)
    kept = pairs.filter(place < entity.groups)
    return plan.join(kept, on=both, how="semi", nulls_equal=True)


def frequencies(prepared: Prepared, query: Query, part: Choice, into: Groups) -> Longs:
    """How many rows fall to each candidate (groups × candidates)."""
    frame, names = prepared.code_columns([*into.axes, part.axis], query.join)
    condition = prepared.condition(query.where, part.complete, query.join)
    size = len(part.labels)
    if not into.labels:
        if condition is None:
            return prepared.cached_counts(
                part.axis, query.join, lambda: _count_codes(frame[names[0]], size).reshape(1, size)
            )
        kept = frame.lazy().filter(condition).select(names[0]).collect()
        return _count_codes(kept.to_series(), size).reshape(1, size)
    plan = _with_cells(frame, condition, query, into, names[:-1])
    cell = pl.col(CELL) * size + pl.col(names[-1])
    codes = plan.select(cell).collect().to_series()
    return _count_codes(codes, into.n * size).reshape(into.n, size)


def _count_codes(codes: pl.Series, n: int) -> Longs:
    counts = np.bincount(codes.drop_nulls().to_numpy(), minlength=n)
    return counts.astype(np.int64, copy=False)


def count_observed_keys(prepared: Prepared, query: Query, part: Part) -> dict[tuple[Any, ...], int]:
    """The key combinations that occur, and their number of rows: only for private keys."""
    frame = prepared.frame(query.join)
    condition = prepared.condition(query.where, part.complete, query.join)
    plan = frame.lazy() if condition is None else frame.lazy().filter(condition)
    for name in query.by:
        keys = prepared.declaration.keys_of(name, query.join)
        if keys is not None and None not in keys:
            plan = plan.filter(pl.col(name).is_not_null())
    by = list(query.by)
    counted = _limit_groups(plan, prepared, by).group_by(by).agg(pl.len().alias(CELL)).collect()
    return dict(zip(counted.drop(CELL).rows(), counted[CELL].to_list(), strict=True))
