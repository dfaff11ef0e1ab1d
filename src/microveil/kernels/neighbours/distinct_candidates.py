"""Candidates that are equal in every column are compared once: released labels are few."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Longs

_LARGEST = 2**62
_BINS = 8
"""Intervals of numbers that count as alike."""


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

    def take(self, places: Longs) -> "Candidates":
        """Some of the candidates."""
        return Candidates(
            np.ascontiguousarray(self.numbers[:, places]),
            self.scales,
            np.ascontiguousarray(self.codes[:, places]),
            np.ascontiguousarray(self.labels[:, places]),
        )


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
    return Distinct(candidates.take(first), groups, counts)


def alike_together(found: Distinct) -> Distinct:
    """The same candidates in an order that puts those that are alike side by side.

    By the columns with few values first, so that neighbours differ in few of them.
    """
    columns = [*found.candidates.codes, *found.candidates.labels]
    columns += [_in_bins(numbers) for numbers in found.candidates.numbers]
    if not columns or not len(found.counts):
        return found
    order = np.lexsort(sorted(columns, key=lambda one: -int(one.max())))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return Distinct(found.candidates.take(order), place[found.groups], found.counts[order])


def _in_bins(numbers: Floats) -> Ints:
    """Which of a few intervals of equal length each number lies in; missing apart."""
    there = np.isfinite(numbers)
    low = float(numbers[there].min(initial=np.inf))
    wide = float(numbers[there].max(initial=-np.inf)) - low
    share = np.zeros(len(numbers))
    if 0 < wide < np.inf:
        share[there] = (numbers[there] - low) / wide
    return np.where(there, np.minimum((share * _BINS).astype(np.int32), _BINS - 1), _BINS)


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
