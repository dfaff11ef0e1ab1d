"""Tallies: the atoms that each number of a query counts or adds up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from microveil.dp import Contingency, Count, Declaration, Histogram, Query, Sum
from microveil.dp.keys import BinCode, KeyCode
from microveil.service.free.regions import Axis, Grid, named_points, point, regions

MOST_ATOMS = 50_000


@dataclass(frozen=True)
class Tally:
    """A query whose answers are sums over rows, so that they can be added and subtracted."""

    query: Query
    measure: str
    """What each row adds: one, or its value of a column."""
    present: tuple[str, ...]
    """Columns that must not be missing."""
    axes: tuple[Axis, ...]
    labels: tuple[tuple[Any, ...], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that decides what is counted where."""
        axes = tuple(axis.column for axis in self.axes)
        filtered = tuple(
            name for name in self.query.used_columns() if name not in self.query.answer_columns()
        )
        return tuple(dict.fromkeys((*self.present, *axes, *filtered)))

    @property
    def size(self) -> int:
        """How many numbers it returns."""
        return math.prod(len(one) for one in self.labels)

    def masks(self, grid: Grid) -> NDArray[np.bool_]:
        """The atoms of each number (numbers × atoms), in the order of the rows."""
        base = grid.where(self.query.where) & grid.present(self.present)
        rows = []
        for numbers in product(*(range(len(one)) for one in self.labels)):
            mask = base
            for axis, number, labels in zip(self.axes, numbers, self.labels, strict=True):
                mask = mask & grid.group(axis, number, labels)
            rows.append(mask.ravel())
        return np.array(rows)

    def keys(self) -> list[dict[str, Any]]:
        """The columns and keys of each row."""
        names = [axis.column for axis in self.axes]
        return [dict(zip(names, labels, strict=True)) for labels in product(*self.labels)]


def tally(query: Query, declaration: Declaration) -> Tally | None:
    """The query as sums over rows; None if it is not a sum, or if its keys are private."""
    axes: tuple[Axis, ...] = tuple(KeyCode(name) for name in query.by)
    if any(declaration.keys_of(name, query.join) is None for name in query.by):
        return None
    entity = declaration.entity
    if entity is not None and entity.groups < entity.max_rows:
        return None  # people in too many groups are left out of some: groups do not add up
    measure, present = "rows", tuple[str, ...]()
    match query:
        case Count():
            present = query.answer_columns()
        case Histogram():
            axes += (query.axis(declaration),)
        case Contingency():
            axes += tuple(KeyCode(name) for name in query.columns)
        case Sum():
            measure, present = f"sum of {query.column}", query.answer_columns()
        case _:
            return None
    labels = tuple(axis.labels(declaration, query.join) for axis in axes)
    return Tally(query, measure, present, axes, labels)


def grid_of(
    tallies: Sequence[Tally], declaration: Declaration, complete: Iterable[str]
) -> Grid | None:
    """The atoms that distinguish all these queries; None if there are too many."""
    joins = tuple(dict.fromkeys(name for one in tallies for name in one.query.join))
    known = declaration.known_columns(joins)
    names = sorted({name for one in tallies for name in one.columns})
    points: dict[str, set[Any]] = {name: set() for name in names}
    for one in tallies:
        for name, found in named_points(one.query.where, known).items():
            points[name] |= found
        for axis, labels in zip(one.axes, one.labels, strict=True):
            points[axis.column] |= _axis_points(axis, labels, known)
    full = set(complete)
    values = {name: regions(known[name], points[name], complete=name in full) for name in names}
    grid = Grid({name: known[name] for name in names}, values)
    return grid if math.prod(grid.shape) <= MOST_ATOMS else None


def _axis_points(axis: Axis, labels: Sequence[Any], known: dict[str, Any]) -> set[Any]:
    if isinstance(axis, BinCode):
        return set(axis.edges[1:-1])
    return {point(known[axis.column], label) for label in labels}
