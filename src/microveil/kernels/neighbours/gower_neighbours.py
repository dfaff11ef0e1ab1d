"""Nearest neighbours in mixed data by Gower's distance (1971), with an exact scan.

Every column adds a number between 0 and 1. Data are stored by column, so that a column of a block
of candidates is compared with vector instructions; queries are divided among threads.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from microveil.kernels.jit import Floats, Ints, Longs, kernel

FARTHEST = 1.5
"""Above the largest distance between two numbers, 1, rounding included."""
BLOCK = 2048
"""Number of candidates whose distances are summed together: they fit into the L1 cache."""


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


class Queries(NamedTuple):
    """The records whose neighbours are wanted, row by row."""

    numbers: Floats
    """(q, numbers)."""
    codes: Ints
    """(q, categories)."""
    rows: Longs
    """(q, labelled columns): where the query's distances to each label begin in ``tables``."""
    tables: Floats
    """Distances of values to labels, rows concatenated."""

    def take(self, places: Longs) -> "Queries":
        """Some of the queries."""
        return Queries(self.numbers[places], self.codes[places], self.rows[places], self.tables)


def nearest(queries: Queries, candidates: Candidates, skip: Longs) -> tuple[Floats, Floats, Longs]:
    """Distance to the nearest candidate, to the second nearest, and how many tie as nearest.

    ``skip`` is a candidate that a query leaves out (itself), −1 for none. Without a candidate the
    distance is infinite. If several tie as nearest, both distances are equal.

    >>> lone = Queries(np.array([[0.0]]), np.zeros((1, 0), np.int32), *_NO_LABELS)
    >>> none = np.zeros((0, 3), np.int32)
    >>> others = Candidates(np.array([[0.5, 0.25, 0.5]]), np.ones(1), none, none)
    >>> [found.tolist() for found in nearest(lone, others, np.array([-1]))]
    [[0.25], [0.5], [1]]
    """
    n = len(queries.numbers)
    first, second, ties = np.empty(n), np.empty(n), np.empty(n, np.int64)

    def part(start: int, stop: int) -> None:
        _nearest(queries, candidates, skip, (start, stop), first, second, ties)

    in_parts(part, n)
    return first, second, ties


_NO_LABELS = (np.zeros((1, 0), np.int64), np.zeros(0))


def guess_chances(queries: Queries, candidates: Candidates, chances: "Chances") -> Floats:
    """Mean probability that a nearest candidate's secret is the query's."""
    found = np.zeros(len(queries.numbers))

    def part(start: int, stop: int) -> None:
        _guess(queries, candidates, chances, start, stop, found)

    in_parts(part, len(found))
    return found


class Chances(NamedTuple):
    """When a guess is right: by a table of probabilities, or within a tolerance of a number."""

    rows: Longs
    """Row of ``table`` for each query; empty for numbers."""
    table: Floats
    """Probability that a candidate's code is right."""
    codes: Ints
    """Column of ``table`` for each candidate."""
    secrets: Floats
    """The queries' numbers, nan missing; empty for a table."""
    guesses: Floats
    """The candidates' numbers."""
    tolerance: float


class Links(NamedTuple):
    """How the neighbours of a query in two spaces overlap; one number per query in each field.

    The `k` nearest are those nearer than the k-th (certain) and a choice among those tied with it.
    """

    n_sure_a: Longs
    n_tied_a: Longs
    n_sure_b: Longs
    n_tied_b: Longs
    n_sure_both: Longs
    n_sure_a_tied_b: Longs
    n_tied_a_sure_b: Longs
    n_tied_both: Longs


def common_neighbours(
    queries: tuple[Queries, Queries], candidates: tuple[Candidates, Candidates], k: int
) -> Links:
    """Overlap of each query's `k` nearest candidates in one space with those in another."""
    n = len(queries[0].numbers)
    found = np.zeros((8, n), np.int64)

    def part(start: int, stop: int) -> None:
        _common(queries[0], queries[1], candidates[0], candidates[1], k, (start, stop), found)

    in_parts(part, n)
    return Links(*found)


def in_parts(work: Callable[[int, int], None], n: int) -> None:
    """Call ``work(start, stop)`` for parts of 0..n, on all cores."""
    n_threads = os.cpu_count() or 1
    size = max(1, -(-n // (4 * n_threads)))
    starts = range(0, n, size)
    if n_threads == 1 or len(starts) <= 1:
        for start in starts:
            work(start, min(start + size, n))
        return
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(lambda start: work(start, min(start + size, n)), starts))


@kernel
def _fill(queries: Queries, candidates: Candidates, query: int, distances: Floats) -> None:
    """Distances of one query to all candidates."""
    n = distances.size
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        block = distances[start:stop]
        block[:] = 0.0
        for j in range(candidates.codes.shape[0]):
            code = queries.codes[query, j]
            codes = candidates.codes[j, start:stop]
            for i in range(block.size):
                block[i] += 1.0 if codes[i] != code else 0.0
        for j in range(candidates.numbers.shape[0]):
            number, scale = queries.numbers[query, j], candidates.scales[j]
            numbers = candidates.numbers[j, start:stop]
            if np.isnan(number):
                for i in range(block.size):
                    block[i] += 0.0 if np.isnan(numbers[i]) else 1.0
                continue
            for i in range(block.size):
                apart = abs(numbers[i] - number) * scale
                # No two numbers are farther apart than 1; anything else is missing.
                block[i] += apart if apart <= FARTHEST else 1.0
        for j in range(candidates.labels.shape[0]):
            row = queries.rows[query, j]
            labels = candidates.labels[j, start:stop]
            for i in range(block.size):
                block[i] += queries.tables[row + labels[i]]


@kernel
def _nearest(
    queries: Queries,
    candidates: Candidates,
    skip: Longs,
    part: tuple[int, int],
    first: Floats,
    second: Floats,
    ties: Longs,
) -> None:
    distances = np.empty(candidates.codes.shape[1])
    for query in range(part[0], part[1]):
        _fill(queries, candidates, query, distances)
        if skip[query] >= 0:
            distances[skip[query]] = np.inf
        best, other, count = np.inf, np.inf, 0
        for distance in distances:
            if distance < best:
                best, other, count = distance, best, 1
            elif distance == best and distance < np.inf:
                other = best
                count += 1
            elif distance < other:
                other = distance
        first[query], second[query], ties[query] = best, other, count


@kernel
def _guess(
    queries: Queries, candidates: Candidates, chances: Chances, start: int, stop: int, found: Floats
) -> None:
    n = candidates.codes.shape[1]
    distances = np.empty(n)
    for query in range(start, stop):
        _fill(queries, candidates, query, distances)
        best = distances.min()
        total, count = 0.0, 0
        for i in range(n):
            if distances[i] == best:
                total += _chance(chances, query, i)
                count += 1
        found[query] = total / count


@kernel
def _chance(chances: Chances, query: int, candidate: int) -> float:
    if chances.secrets.size == 0:
        return float(chances.table[chances.rows[query], chances.codes[candidate]])
    secret, guess = chances.secrets[query], chances.guesses[candidate]
    if np.isnan(secret) or np.isnan(guess):
        return 1.0 if np.isnan(secret) and np.isnan(guess) else 0.0
    if secret == guess:
        return 1.0
    return 1.0 if abs(guess - secret) <= chances.tolerance * abs(secret) else 0.0


@kernel
def _kth_smallest(distances: Floats, k: int, heap: Floats) -> float:
    """The k-th smallest number; ``heap`` is scratch space for k numbers, kept sorted."""
    held = 0
    for distance in distances:
        if held == k and distance >= heap[k - 1]:
            continue
        place = min(held, k - 1)
        while place > 0 and heap[place - 1] > distance:
            heap[place] = heap[place - 1]
            place -= 1
        heap[place] = distance
        held = min(held + 1, k)
    return float(heap[held - 1])


@kernel
def _common(
    queries_a: Queries,
    queries_b: Queries,
    candidates_a: Candidates,
    candidates_b: Candidates,
    k: int,
    part: tuple[int, int],
    found: Longs,
) -> None:
    n = candidates_a.codes.shape[1]
    near_a, near_b, heap = np.empty(n), np.empty(n), np.empty(k)
    for query in range(part[0], part[1]):
        _fill(queries_a, candidates_a, query, near_a)
        _fill(queries_b, candidates_b, query, near_b)
        limit_a, limit_b = _kth_smallest(near_a, k, heap), _kth_smallest(near_b, k, heap)
        for i in range(n):
            sure_a, tied_a = near_a[i] < limit_a, near_a[i] == limit_a
            sure_b, tied_b = near_b[i] < limit_b, near_b[i] == limit_b
            found[0, query] += sure_a
            found[1, query] += tied_a
            found[2, query] += sure_b
            found[3, query] += tied_b
            found[4, query] += sure_a and sure_b
            found[5, query] += sure_a and tied_b
            found[6, query] += tied_a and sure_b
            found[7, query] += tied_a and tied_b
