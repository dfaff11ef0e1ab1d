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
    n = int(of_record.max(initial=-1)) + 1
    whole = np.bincount(of_record, minlength=n) > 1
    found = []
    for number, column in enumerate(codes.T):
        there = slice(None) if column.min(initial=0) >= 0 else np.flatnonzero(column >= 0)
        group, values = of_record[there], column[there]
        several = whole if len(group) == len(column) else np.bincount(group, minlength=n) > 1
        one = np.empty(n, dtype=column.dtype)
        one[group] = values
        differs = np.zeros(n, dtype=np.bool_)
        differs[group[one[group] != values]] = True
        if several.any() and (~differs[several]).mean() >= MOSTLY:
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
