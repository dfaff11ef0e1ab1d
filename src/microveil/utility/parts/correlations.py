"""Correlations of numeric columns before and after protection."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats
from microveil.pairs.alignment import align, common_columns, is_paired
from microveil.pairs.numbers import released_numbers, settle_infinite
from microveil.tables import Table
from microveil.tables.kinds import is_number, numbers_of
from microveil.utility.parts.covariances import covariances_of


class ChangedCorrelation(NamedTuple):
    """How two columns are correlated before and after."""

    one: str
    other: str
    before: float
    after: float


def correlations_of(values: Floats, *, ranked: bool = False) -> Floats:
    """Correlations of the columns of complete records; a constant column has 0 with others.

    >>> correlations_of(np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 1.0]])).round(3).tolist()
    [[1.0, -0.189], [-0.189, 1.0]]
    """
    n, d = values.shape
    if ranked and d:
        values = np.column_stack([pl.Series(one).rank("average").to_numpy() for one in values.T])
    return scaled_covariances(covariances_of(values) if n > 1 else np.zeros((d, d)))


def scaled_covariances(covariances: Floats) -> Floats:
    """Covariances as correlations; 0 beside a column that does not vary."""
    spread = np.sqrt(np.diag(covariances))
    spread[spread == 0] = np.inf
    scaled: Floats = np.clip(covariances / np.outer(spread, spread), -1, 1)
    np.fill_diagonal(scaled, 1.0)
    return scaled


def changed_correlations(
    original: Table, released: Table, *, most_columns: int, most: int
) -> list[ChangedCorrelation]:
    """The correlations that changed most, among the first columns that hold numbers on both sides.

    A label of numbers counts as its middle. Where rows are pairs, records that are complete on both
    sides count; elsewhere each side's own. Columns that vary on one side only are left out.
    """
    paired = is_paired(original, released)
    before = align(original, released) if paired else original
    sides = _number_columns(before, released, most_columns)
    if len(sides) < 2:  # noqa: PLR2004  a correlation takes two
        return []
    first, second = (np.column_stack(one) for one in zip(*sides.values(), strict=True))
    kept = [~np.isnan(one).any(axis=1) for one in (first, second)]
    if paired:
        kept = [kept[0] & kept[1]] * 2
    first, second = first[kept[0]], second[kept[1]]
    tables = correlations_of(first), correlations_of(second)
    varies = _varies(first) & _varies(second)
    names = list(sides)
    found = [
        ChangedCorrelation(names[i], names[j], *(float(one[i, j]) for one in tables))
        for i in range(len(names))
        for j in range(i)
        if varies[i] and varies[j]
    ]
    return sorted(found, key=lambda one: -abs(one.before - one.after))[:most]


def _varies(values: Floats) -> NDArray[np.bool_]:
    return np.asarray((values != values[:1]).any(axis=0))


def _number_columns(
    original: Table, released: Table, most: int
) -> dict[str, tuple[Floats, Floats]]:
    """Columns that hold numbers on both sides."""
    found: dict[str, tuple[Floats, Floats]] = {}
    for name in common_columns(original, released):
        before, after = original.frame[name], released.frame[name]
        if len(found) == most or not is_number(before.dtype):
            continue
        numbers = released_numbers(before, after)
        if numbers is not None:
            one, other = settle_infinite(numbers_of(before), numbers_of(numbers))
            found[name] = one, other
    return found
