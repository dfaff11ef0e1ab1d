"""Nearest neighbours in mixed data by Gower's distance (1971), with an exact scan.

Queries are divided among threads. Where only the nearest are wanted, candidates that are alike
share a block, and a block is left as soon as the columns added up so far put all of it farther away
than what was found: sums only grow, so the result is exact.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Floats, Ints, Longs
from microveil.cores import blocks_of, map_on_cores
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.distinct_candidates import (
    Candidates,
    alike_together,
    distinct,
)
from microveil.kernels.neighbours.gower_by_columns import (
    distances_by_columns,
    mean_chance,
    nearer_and_tied,
    two_nearest,
    without_machine_code,
)
from microveil.kernels.neighbours.gower_distances import (
    ALIKE,
    FARTHEST,
    Blocks,
    Queries,
    fill_block,
    fill_distances,
    find_first_block,
    is_far,
    lead_blocks,
)

PARTS = 64
"""Parts of the queries that threads share out."""

__all__ = [
    "Candidates",
    "Chances",
    "Links",
    "Queries",
    "common_neighbours",
    "guess_chances",
    "in_parts",
    "nearest",
]


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
    among = alike_together(distinct(candidates))
    skipped = np.where(skip >= 0, among.groups[skip], -1) if len(among.groups) else skip
    if without_machine_code(_nearest, queries, among.candidates):
        for query in range(n):
            distances = distances_by_columns(queries, among.candidates, query, FARTHEST)
            found = two_nearest(distances, among.counts, skipped[query])
            first[query], second[query], ties[query] = found
        return first, second, ties

    blocks = lead_blocks(among.candidates)

    def part(start: int, stop: int) -> None:
        found = (first, second, ties)
        _nearest(queries, (among.candidates, blocks), among.counts, skipped, (start, stop), found)

    in_parts(part, n)
    return first, second, ties


_NO_LABELS = (np.zeros((1, 0), np.int64), np.zeros(0))


def guess_chances(queries: Queries, candidates: Candidates, chances: "Chances") -> Floats:
    """Mean probability that a nearest candidate's secret is the query's."""
    found = np.zeros(len(queries.numbers))
    among = alike_together(distinct(candidates))
    if without_machine_code(_guess, queries, among.candidates):
        for query in range(len(found)):
            distances = distances_by_columns(queries, among.candidates, query, FARTHEST)
            found[query] = mean_chance(distances, among, chances, query)
        return found

    blocks = lead_blocks(among.candidates)

    def part(start: int, stop: int) -> None:
        _guess(queries, (among.candidates, blocks), among.groups, chances, (start, stop), found)

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
    one, other = distinct(candidates[0]), distinct(candidates[1])
    width = len(other.counts)
    pairs, counts = np.unique(one.groups * width + other.groups, return_counts=True)
    pairs = np.stack([pairs // width, pairs % width, counts])
    if without_machine_code(_common, queries[0], one.candidates, other.candidates):
        for query in range(n):
            near_a = distances_by_columns(queries[0], one.candidates, query, FARTHEST)
            near_b = distances_by_columns(queries[1], other.candidates, query, FARTHEST)
            of_a = nearer_and_tied(near_a, one.counts, k)
            of_b = nearer_and_tied(near_b, other.counts, k)
            found[:, query] = _overlaps(of_a, of_b, pairs)
        return Links(*found)

    starts = np.searchsorted(pairs[0], np.arange(len(one.counts) + 1))

    def part(start: int, stop: int) -> None:
        _common(
            queries,
            (one.candidates, other.candidates),
            (one.counts, other.counts),
            (pairs, starts),
            k,
            (start, stop),
            found,
        )

    in_parts(part, n)
    return Links(*found)


def _overlaps(of_a: tuple[Flags, Flags], of_b: tuple[Flags, Flags], pairs: Longs) -> Longs:
    """The numbers of :class:`Links` for one query."""
    (sure_a, tied_a), (sure_b, tied_b) = of_a, of_b
    sure_a, tied_a = sure_a[pairs[0]], tied_a[pairs[0]]
    sure_b, tied_b = sure_b[pairs[1]], tied_b[pairs[1]]
    kinds = [
        sure_a,
        tied_a,
        sure_b,
        tied_b,
        sure_a & sure_b,
        sure_a & tied_b,
        tied_a & sure_b,
        tied_a & tied_b,
    ]
    found: Longs = np.stack(kinds) @ pairs[2]
    return found


def in_parts(work: Callable[[int, int], None], n: int) -> None:
    """Call ``work(start, stop)`` for parts of 0..n, on all cores."""
    map_on_cores(lambda ends: work(*ends), blocks_of(n, -(-n // PARTS)) if n else [])


@kernel
def _nearest(
    queries: Queries,
    searched: tuple[Candidates, Blocks],
    counts: Longs,
    skip: Longs,
    part: tuple[int, int],
    found: tuple[Floats, Floats, Longs],
) -> None:
    candidates, (leads, common) = searched
    first, second, ties = found
    n, n_blocks = candidates.codes.shape[1], leads.codes.shape[1]
    distances, near = np.empty(n), np.empty(n_blocks)
    for query in range(part[0], part[1]):
        begin = find_first_block(queries, leads, query, near)
        best, other, count = np.inf, np.inf, 0
        for place in range(n_blocks):
            block = (begin + place) % n_blocks
            ends = (ALIKE * block, min(ALIKE * (block + 1), n))
            far = is_far(queries, common, query, block, other)
            if far or not fill_block(queries, candidates, query, ends, distances, other):
                continue
            for i in range(ends[0], ends[1]):
                distance = distances[i]
                if distance > other:
                    continue  # as most are: nothing else has to be read
                equal = counts[i] - (1 if skip[query] == i else 0)
                if equal == 0:
                    continue
                if distance < best:
                    best, other, count = distance, distance if equal > 1 else best, equal
                elif distance == best and distance < np.inf:
                    other = best
                    count += equal
                elif distance < other:
                    other = distance
        first[query], second[query], ties[query] = best, other, count


@kernel
def _guess(
    queries: Queries,
    searched: tuple[Candidates, Blocks],
    groups: Longs,
    chances: Chances,
    part: tuple[int, int],
    found: Floats,
) -> None:
    candidates, (leads, common) = searched
    n, n_blocks = candidates.codes.shape[1], leads.codes.shape[1]
    distances, near = np.empty(n), np.empty(n_blocks)
    for query in range(part[0], part[1]):
        begin = find_first_block(queries, leads, query, near)
        best = np.inf
        for place in range(n_blocks):
            block = (begin + place) % n_blocks
            ends = (ALIKE * block, min(ALIKE * (block + 1), n))
            far = is_far(queries, common, query, block, best)
            if not far and fill_block(queries, candidates, query, ends, distances, best):
                for i in range(ends[0], ends[1]):
                    best = min(best, distances[i])
            else:
                distances[ends[0] : ends[1]] = np.inf
        total, count = 0.0, 0
        for i in range(groups.size):
            if distances[groups[i]] == best:
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
def _kth_smallest(distances: Floats, counts: Longs, k: int, heap: Floats) -> float:
    """The k-th smallest number; ``heap`` is scratch space for k numbers, kept sorted."""
    held = 0
    for i in range(distances.size):
        distance = distances[i]
        if held == k and distance >= heap[k - 1]:
            continue
        for _ in range(min(counts[i], k)):
            if held == k and distance >= heap[k - 1]:
                break
            place = min(held, k - 1)
            while place > 0 and heap[place - 1] > distance:
                heap[place] = heap[place - 1]
                place -= 1
            heap[place] = distance
            held = min(held + 1, k)
    return float(heap[held - 1])


@kernel
def _common(
    queries: tuple[Queries, Queries],
    candidates: tuple[Candidates, Candidates],
    counts: tuple[Longs, Longs],
    together: tuple[Longs, Longs],
    k: int,
    part: tuple[int, int],
    found: Longs,
) -> None:
    pairs, starts = together
    near_a, near_b = np.empty(counts[0].size), np.empty(counts[1].size)
    heap = np.empty(k)
    for query in range(part[0], part[1]):
        fill_distances(queries[0], candidates[0], query, near_a)
        fill_distances(queries[1], candidates[1], query, near_b)
        limit_a = _kth_smallest(near_a, counts[0], k, heap)
        limit_b = _kth_smallest(near_b, counts[1], k, heap)
        for i in range(near_b.size):
            if near_b[i] <= limit_b:
                found[2 if near_b[i] < limit_b else 3, query] += counts[1][i]
        for i in range(near_a.size):
            if near_a[i] > limit_a:
                continue
            sure = near_a[i] < limit_a
            found[0 if sure else 1, query] += counts[0][i]
            for pair in range(starts[i], starts[i + 1]):
                other = near_b[pairs[1, pair]]
                if other <= limit_b:
                    kind = (4 if sure else 6) + (0 if other < limit_b else 1)
                    found[kind, query] += pairs[2, pair]
