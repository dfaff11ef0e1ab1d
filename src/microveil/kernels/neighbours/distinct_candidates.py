"""Candidates that are equal in every column are compared once: released labels are few."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Longs

_LARGEST = 2**62


class Candidates(NamedTuple):
    """The records to search, column by column."""

    numbers: Floats
    """(numbers, n); nan missing."""
    scales: Floats
    """(numbers,): weight of a difference of 1, so that the whole range counts 1.

    Differences are scaled rather than numbers, so that equal differences are exactly equal.
    """
    codes: Ints
    """(categories, n); a missing cell has a code of its own."""
    labels: Ints
    """(labelled columns, n): column of the query's table of distances."""


class Distinct(NamedTuple):
    """The distinct candidates."""

    candidates: Candidates
    groups: Longs
    """Which of them each candidate is."""
    counts: Longs
    """How many candidates are equal to each."""


def distinct(candidates: Candidates) -> Distinct:
    """Group equal candidates; if most differ, each stays by itself."""
    n = candidates.codes.shape[1]
    groups = _groups(candidates)
    counts = np.bincount(groups, minlength=1).astype(np.int64)
    if not n or 2 * len(counts) > n:
        return Distinct(candidates, np.arange(n), np.ones(n, dtype=np.int64))
    first = np.empty(len(counts), dtype=np.int64)
    first[groups[::-1]] = np.arange(n - 1, -1, -1)
    once = Candidates(
        np.ascontiguousarray(candidates.numbers[:, first]),
        candidates.scales,
        np.ascontiguousarray(candidates.codes[:, first]),
        np.ascontiguousarray(candidates.labels[:, first]),
    )
    return Distinct(once, groups, counts)


def _groups(candidates: Candidates) -> Longs:
    """Numbers of equal candidates, from 0 on."""
    n = candidates.codes.shape[1]
    key, n_keys = np.zeros(n, dtype=np.int64), 1
    columns: list[NDArray[np.generic]] = [
        *candidates.codes,
        *candidates.labels,
        *candidates.numbers,
    ]
    for column in columns:
        values, cells = np.unique(column, return_inverse=True)
        if n_keys * max(len(values), 1) > _LARGEST:
            key, n_keys = _number(key)
            if 2 * n_keys > n:
                break
        key = key * len(values) + cells
        n_keys *= max(len(values), 1)
    return _number(key)[0]


def _number(key: Longs) -> tuple[Longs, int]:
    values, numbers = np.unique(key, return_inverse=True)
    return numbers.astype(np.int64), len(values)
