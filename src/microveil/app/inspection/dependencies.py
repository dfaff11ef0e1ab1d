"""Dependencies: columns with redundant information, such as a code and its label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.app.inspection.column import Column
from microveil.app.inspection.counting import joint_counts
from microveil.app.inspection.limits import (
    DEPENDENCY_CHANCE,
    DEPENDENCY_ROWS,
    DEPENDENCY_VALUES,
    NEARLY_UNIQUE,
)
from microveil.tables.codes import encode

SPREAD = 4
"""Cells per row up to which a table of all possible codes is cheaper than sorting."""


@dataclass(frozen=True)
class Dependency:
    """``determined`` follows from ``by``; each from the other if ``mutual``."""

    by: str
    determined: str
    mutual: bool


def dependencies(frame: pl.DataFrame, columns: Sequence[Column]) -> list[Dependency]:
    """Pairs of columns of which one determines the other; missing is a value of its own.

    Columns with few values are compared pairwise on some rows; survivors are counted on all.
    Columns with many values are compared only if their values are equally many and equally
    frequent.
    """
    usable = [column for column in columns if _usable(column)]
    few = [column for column in usable if column.counts.n_classes <= DEPENDENCY_VALUES]
    coded = _Coded(few)
    found = []
    for one, other in combinations(few, 2):
        enough = max(one.counts.n_classes, other.counts.n_classes)
        found += _verdict(one, other, coded.n_together(one.name, other.name, enough))
    for one, other in _alike(usable):
        found += _verdict(one, other, joint_counts(frame, [one.name, other.name]).n_classes)
    return found


def _usable(column: Column) -> bool:
    counts = column.counts
    varied = counts.n_classes > 1 and counts.distinction < NEARLY_UNIQUE
    return varied and column.form not in ("nested", "binary", "empty")


def _verdict(one: Column, other: Column, together: int) -> list[Dependency]:
    """Which of two columns determines the other, by the number of their combinations."""
    forward = together == one.counts.n_classes and not _by_chance(one, other)
    backward = together == other.counts.n_classes and not _by_chance(other, one)
    if forward and backward:
        return [Dependency(one.name, other.name, mutual=True)]
    if forward:
        return [Dependency(one.name, other.name, mutual=False)]
    return [Dependency(other.name, one.name, mutual=False)] if backward else []


def _by_chance(by: Column, determined: Column) -> bool:
    """Whether unrelated columns would look like this by chance."""
    alike = 1 - determined.counts.separation
    repeats = by.counts.n_records - by.counts.n_classes
    return alike <= 0 or repeats * log(alike) > log(DEPENDENCY_CHANCE)


class _Coded:
    """Columns with few values as small codes, computed once and only if needed."""

    def __init__(self, columns: list[Column]) -> None:
        """Read some rows of every column now, and all of them on demand."""
        self._series = {column.name: column.series for column in columns}
        self._all: dict[str, NDArray[np.uint8]] = {}
        self._some = {name: _dense(_some_rows(series)) for name, series in self._series.items()}

    def n_together(self, one: str, other: str, enough: int) -> int:
        """Number of combinations of two columns; at least ``enough`` + 1 if there are more."""
        n_some = _n_pairs(self._some[one], self._some[other])
        return n_some if n_some > enough else _n_pairs(self._codes(one), self._codes(other))

    def _codes(self, name: str) -> NDArray[np.uint8]:
        if name not in self._all:
            self._all[name] = _dense(self._series[name])
        return self._all[name]


def _some_rows(series: pl.Series) -> pl.Series:
    rows = np.linspace(0, len(series) - 1, min(len(series), DEPENDENCY_ROWS)).astype(np.int64)
    return series.gather(rows)


def _dense(series: pl.Series) -> NDArray[np.uint8]:
    """Codes from 0 without gaps, for a column with few values."""
    values, radix = encode(series)
    if radix > SPREAD * max(len(values), DEPENDENCY_ROWS):
        return np.unique(values, return_inverse=True)[1].astype(np.uint8)
    number = np.cumsum(np.bincount(values, minlength=radix) > 0) - 1
    return number.astype(np.uint8)[values]


def _n_pairs(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> int:
    """Number of combinations of two codes that occur."""
    width = np.uint16(int(other.max()) + 1)
    cells = np.bincount(one.astype(np.uint16) * width + other)
    return int(np.count_nonzero(cells))


def _alike(usable: list[Column]) -> list[tuple[Column, Column]]:
    """Columns with many values whose counts agree in every respect."""
    many = [column for column in usable if column.counts.n_classes > DEPENDENCY_VALUES]
    return [
        (one, other)
        for one, other in combinations(many, 2)
        if one.counts.n_classes == other.counts.n_classes
        and one.counts.n_pairs_alike == other.counts.n_pairs_alike
    ]
