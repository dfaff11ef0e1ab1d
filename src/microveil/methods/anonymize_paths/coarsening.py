"""Versions of paths, from fine to coarse: places on a grid or up a hierarchy, times in periods."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import polars as pl

from microveil.errors import ColumnError
from microveil.hierarchies import AnyHierarchy
from microveil.risk.paths.points import Period, begin_of_period
from microveil.tables.values import Distinct


class Version(NamedTuple):
    """How coarse a path is, and its columns."""

    cell: float | None
    level: int | None
    period: Period | None
    columns: list[pl.Series]


class Ladder(NamedTuple):
    """What may be tried for places and for times; None stands for leaving them as they are."""

    cells: Sequence[float]
    hierarchy: AnyHierarchy | None
    periods: Sequence[Period]

    def versions(
        self, frame: pl.DataFrame, places: Sequence[str], time: str | None
    ) -> Iterator[Version]:
        """Every combination, those that lose least first, each built when it is asked for."""
        where: list[float | int | None] = [None]
        if self.cells:
            where = list(self.cells)
        elif self.hierarchy is not None:
            where = list(range(_height(frame[places[0]], self.hierarchy)))
        when: list[Period | None] = list(self.periods) if time and self.periods else [None]
        steps = sorted(
            product(range(len(where)), range(len(when))),
            key=lambda one: (one[0] / len(where) + one[1] / len(when), one),
        )
        for i, j in steps:
            columns = [self._coarser(frame[name], where[i]) for name in places]
            columns += [] if time is None else [begin_of_period(frame[time], when[j])]
            cell = where[i] if self.cells else None
            level = where[i] if self.hierarchy is not None and not self.cells else None
            yield Version(cell, None if level is None else int(level), when[j], columns)

    def _coarser(self, column: pl.Series, step: float | None) -> pl.Series:
        if step is None or column.dtype == pl.Null:
            return column
        if self.cells:
            return on_grid(column, step)
        return _at_level(column, self.hierarchy, int(step))


def on_grid(column: pl.Series, size: float) -> pl.Series:
    """Numbers as the nearest multiple of a cell's size; whole numbers stay whole where it is whole.

    >>> on_grid(pl.Series([43.84, 43.54]), 0.5).to_list()
    [44.0, 43.5]
    """
    if not column.dtype.is_numeric():
        raise ColumnError(
            "Step 'anonymize_paths' lays a grid over numbers only, and column '{name}' holds none. "
            "Leave out `cells`, or give the places a `hierarchy`.",
            name=column.name,
        )
    near = (column.cast(pl.Float64) / size).round() * size
    if column.dtype.is_integer() and float(size).is_integer():
        return near.cast(pl.Int64)
    return near.round(9)


def _height(column: pl.Series, hierarchy: AnyHierarchy) -> int:
    """How many levels below the top a hierarchy has for a column."""
    distinct = Distinct.of(column)
    return hierarchy.build_for(distinct).height if len(distinct.values) else 1


def _at_level(column: pl.Series, hierarchy: AnyHierarchy | None, level: int) -> pl.Series:
    distinct = Distinct.of(column)
    if hierarchy is None or level == 0 or not len(distinct.values):
        return column
    built = hierarchy.build_for(distinct)
    match = built.match(distinct)
    match.require_all(hierarchy.gap_hint)
    return distinct.spread(built.labels_of(match, level)).alias(column.name)
