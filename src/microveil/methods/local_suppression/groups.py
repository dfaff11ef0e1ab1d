"""Records that belong together: cells that one of them would give back for another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats, Ints, Longs

MOSTLY = 0.9
"""Share of the persons (households) that agree in a column, above which one of their records gives
away what is missing in another."""


class Group(NamedTuple):
    """Records of the same person or household, and the columns that they share."""

    of_record: Longs
    columns: tuple[int, ...]

    @property
    def n(self) -> int:
        """Number of groups."""
        return int(self.of_record.max(initial=-1)) + 1


def shared_columns(codes: Ints, of_record: Longs) -> tuple[int, ...]:
    """Columns in which nearly all groups of several records agree; missing cells say nothing.

    >>> codes = np.array([[0, 1], [0, 2], [-1, 3], [1, 1]], dtype=np.int32)
    >>> shared_columns(codes, np.array([0, 0, 0, 1]))
    (0,)
    """
    order = np.argsort(of_record, kind="stable")
    found = []
    for number, column in enumerate(codes.T):
        there = order[column[order] >= 0]
        group, values = of_record[there], column[there]
        start = np.flatnonzero(np.diff(group, prepend=-1))
        if not len(start):
            continue
        several = np.diff(start, append=len(group)) > 1
        low, high = np.minimum.reduceat(values, start), np.maximum.reduceat(values, start)
        if several.any() and (low == high)[several].mean() >= MOSTLY:
            found.append(number)
    return tuple(found)


def cells_together(n_columns: int, groups: Sequence[Group]) -> Floats:
    """How many cells go with one, by column: for a shared column, those of the whole group."""
    together = np.ones(n_columns)
    for group in groups:
        sizes = np.bincount(group.of_record)
        members = float((sizes * sizes).sum() / max(sizes.sum(), 1))
        for column in group.columns:
            together[column] = max(together[column], members)
    return together


def for_all(codes: Ints, there: Flags, groups: Sequence[Group]) -> Ints:
    """Codes with cells of shared columns suppressed for the whole group if for one of it."""
    codes = codes.copy()
    for group in groups:
        for column in group.columns:
            gone = np.zeros(group.n, dtype=np.bool_)
            gone[group.of_record[there[:, column] & (codes[:, column] < 0)]] = True
            codes[gone[group.of_record], column] = -1
    return codes
