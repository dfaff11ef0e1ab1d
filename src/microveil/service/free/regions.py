"""Regions: sets of a column's values on which each filter is either true or false throughout.

Combinations of regions are atoms; every group of every query is a set of atoms.
"""

from __future__ import annotations

import math
import operator as op
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import Any

import numpy as np

from microveil.arrays import Flags
from microveil.dp.declaration import Column
from microveil.dp.filters import And, ColumnComparison, Filter, Membership, Missing, Or, leaves
from microveil.dp.keys import BinCode, KeyCode

Axis = KeyCode | BinCode

MISSING: Any = None
OTHER = object()
"""Any text that no filter and no key names."""
_ORDERED = {"integer", "real", "date"}


def point(column: Column, value: Any) -> Any:
    """A constant or a key in the form used by regions: dates as days, numbers as numbers."""
    if value is None or column.type in {"text", "boolean"}:
        return value
    if column.type == "date":
        return (date.fromisoformat(str(value)) - date(1970, 1, 1)).days
    # Constants were fitted to the column; whole ones stay exact beyond what a float holds.
    return value


def named_points(where: Filter | None, columns: dict[str, Column]) -> dict[str, set[Any]]:
    """The constants that a filter names, by column."""
    found: dict[str, set[Any]] = {}
    for leaf in () if where is None else leaves(where):
        values: tuple[Any, ...] = ()
        if isinstance(leaf, ColumnComparison):
            values = (leaf.value,)
        elif isinstance(leaf, Membership):
            values = leaf.values
        known = columns[leaf.column]
        found.setdefault(leaf.column, set()).update(point(known, value) for value in values)
    return found


def regions(column: Column, points: Iterable[Any], *, complete: bool) -> list[Any]:
    """One value from each region; ``complete`` means that every row has one of the keys."""
    named = set(points) - {MISSING}
    declared = column.public_keys() if complete else None
    if declared is not None:
        keys = [point(column, key) for key in declared if key is not None]
        return [*keys, *([MISSING] if None in declared else [])]
    ends = [] if complete else [MISSING]
    if column.type == "boolean":
        return [False, True, *ends]
    if column.type == "text":
        known = sorted(named) if column.keys is None else [k for k in column.keys if k is not None]
        # A cell with no declared key counts as missing.
        return [*known, *([OTHER] if column.keys is None else []), *ends]
    return [*_between(sorted(named), whole=column.type != "real"), *ends]


def _between(points: Sequence[float], *, whole: bool) -> list[float]:
    """The points, and a value from each gap between them, if there is one."""
    if not points:
        return [0]
    ends = [*points[1:], math.inf]
    found = [math.ceil(points[0]) - 1 if whole else math.nextafter(points[0], -math.inf)]
    for value, after in zip(points, ends, strict=True):
        if not whole or value == int(value):
            found.append(value)
        following = math.floor(value) + 1 if whole else math.nextafter(value, math.inf)
        if following < after or following == math.inf:
            found.append(following)
    return found


@dataclass(frozen=True)
class Grid:
    """All atoms: the product of the regions of some columns."""

    columns: dict[str, Column]
    values: dict[str, list[Any]]

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of regions of each column."""
        return tuple(len(values) for values in self.values.values())

    def everything(self) -> Flags:
        """All atoms."""
        return np.ones(self.shape, dtype=bool)

    def where(self, condition: Filter | None) -> Flags:
        """The atoms for which a filter is true; comparisons with missing cells are false."""
        if condition is None:
            return self.everything()
        match condition:
            case And(parts):
                return reduce(np.logical_and, [self.where(part) for part in parts])
            case Or(parts):
                return reduce(np.logical_or, [self.where(part) for part in parts])
            case Missing(name, negated):
                return self._along(name, [(v is MISSING) != negated for v in self.values[name]])
            case Membership(name, members, negated):
                among = {point(self.columns[name], value) for value in members}
                holds = [v is not MISSING and (v in among) != negated for v in self.values[name]]
                return self._along(name, holds)
            case ColumnComparison(name, operator, value):
                limit = point(self.columns[name], value)
                holds = [
                    v is not MISSING and _compare(v, operator, limit) for v in self.values[name]
                ]
                return self._along(name, holds)

    def group(self, axis: Axis, number: int, labels: Sequence[Any]) -> Flags:
        """The atoms of one group along an axis: a key, or a bin."""
        values = self.values[axis.column]
        if isinstance(axis, KeyCode):
            wanted = point(self.columns[axis.column], labels[number])
            return self._along(axis.column, [_same(value, wanted) for value in values])
        low = -math.inf if number == 0 else axis.edges[number]
        high = math.inf if number == len(axis.edges) - 2 else axis.edges[number + 1]
        return self._along(axis.column, [v is not MISSING and low <= v < high for v in values])

    def present(self, names: Iterable[str]) -> Flags:
        """The atoms where none of these columns is missing."""
        masks = [self._along(name, [v is not MISSING for v in self.values[name]]) for name in names]
        return reduce(np.logical_and, masks, self.everything())

    def _along(self, name: str, holds: Sequence[bool]) -> Flags:
        at = list(self.values).index(name)
        shape = [1] * len(self.values)
        shape[at] = len(holds)
        return np.broadcast_to(np.array(holds, dtype=bool).reshape(shape), self.shape)


def _same(value: Any, wanted: Any) -> bool:
    return value is wanted if wanted is None or value is OTHER else bool(value == wanted)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "=": op.eq,
    "!=": op.ne,
    "<": op.lt,
    "<=": op.le,
    ">": op.gt,
    ">=": op.ge,
}


def _compare(value: Any, operator: str, limit: Any) -> bool:
    if value is OTHER:
        return operator == "!="
    return bool(_OPERATORS[operator](value, limit))
