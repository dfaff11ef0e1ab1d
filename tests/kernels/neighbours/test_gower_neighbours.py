from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.linkage.link_chances import chance_choices, link_chances
from microveil.kernels.neighbours.gower_neighbours import (
    Candidates,
    Chances,
    Queries,
    common_neighbours,
    guess_chances,
    nearest,
)


def mixed(seed: int, n: int, q: int) -> tuple[Queries, Candidates, NDArray[np.float64]]:
    """Queries and candidates of all kinds, missing cells too, and their distances cell by cell."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 5, (2, n)) / 4
    asked = rng.integers(0, 5, (q, 2)) / 4
    numbers[rng.random((2, n)) < 0.2] = np.nan
    asked[rng.random((q, 2)) < 0.2] = np.nan
    codes = rng.integers(-1, 3, (2, n)).astype(np.int32)
    asked_codes = rng.integers(-1, 3, (q, 2)).astype(np.int32)
    labels = rng.integers(0, 3, (1, n)).astype(np.int32)
    table = rng.integers(0, 5, (4, 3)) / 4
    rows = rng.integers(0, 4, (q, 1))
    distances = np.zeros((q, n))
    for i in range(q):
        for j in range(n):
            for a, b in zip(asked[i], numbers[:, j], strict=True):
                missing = np.isnan(a), np.isnan(b)
                distances[i, j] += (not all(missing)) if any(missing) else abs(a - b)
            distances[i, j] += (asked_codes[i] != codes[:, j]).sum()
            distances[i, j] += table[rows[i, 0], labels[0, j]]
    queries = Queries(4 * asked, asked_codes, rows * 3, table.ravel())
    return queries, Candidates(4 * numbers, np.full(2, 0.25), codes, labels), distances


sizes = {"seed": st.integers(0, 10_000), "n": st.integers(1, 12), "q": st.integers(1, 9)}


@given(**sizes)
@settings(max_examples=40)
def test_the_nearest_are_those_of_a_scan_cell_by_cell(seed: int, n: int, q: int) -> None:
    queries, candidates, distances = mixed(seed, n, q)
    skip = np.arange(q) % (n + 1) - 1
    distances[np.flatnonzero(skip >= 0), skip[skip >= 0]] = np.inf
    first, second, ties = nearest(queries, candidates, skip)
    ordered = np.sort(np.hstack([distances, np.full((q, 1), np.inf)]), axis=1)
    assert np.array_equal(first, ordered[:, 0])
    assert np.array_equal(second, ordered[:, 1])
    finite = np.isfinite(first)
    assert np.array_equal(ties[finite], (distances == first[:, None]).sum(axis=1)[finite])
    assert not ties[~finite].any()


@given(**sizes)
@settings(max_examples=40)
def test_a_guess_counts_each_of_the_nearest_alike(seed: int, n: int, q: int) -> None:
    queries, candidates, distances = mixed(seed, n, q)
    rng = np.random.default_rng(seed + 1)
    table = rng.random((3, 4))
    rows, codes = rng.integers(0, 3, q), rng.integers(0, 4, n).astype(np.int32)
    none = np.zeros(0)
    found = guess_chances(queries, candidates, Chances(rows, table, codes, none, none, 0.0))
    for i in range(q):
        near = distances[i] == distances[i].min()
        assert found[i] == pytest.approx(table[rows[i], codes[near]].mean())


def test_a_number_is_guessed_within_the_tolerance_and_missing_by_missing() -> None:
    points = Candidates(
        np.zeros((0, 4)), np.zeros(0), np.zeros((1, 4), np.int32), np.zeros((0, 4), np.int32)
    )
    asked = Queries(
        np.zeros((3, 0)), np.zeros((3, 1), np.int32), np.zeros((3, 0), np.int64), np.zeros(0)
    )
    secrets = np.array([-100.0, np.nan, 0.0])
    guesses = np.array([-104.0, -106.0, np.nan, 0.0])
    rows, codes = np.zeros(0, np.int64), np.zeros(0, np.int32)
    chances = Chances(rows, np.zeros((0, 0)), codes, secrets, guesses, 0.05)
    assert guess_chances(asked, points, chances).tolist() == [0.25, 0.25, 0.25]


def choices(distances: NDArray[np.float64], k: int) -> list[set[int]]:
    """All ways to take the k nearest when ties are broken by chance."""
    limit = np.sort(distances)[k - 1]
    sure = set(np.flatnonzero(distances < limit).tolist())
    tied = np.flatnonzero(distances == limit).tolist()
    return [sure | set(some) for some in combinations(tied, k - len(sure))]


@given(**sizes, k=st.integers(1, 4))
@settings(max_examples=60)
def test_the_chance_of_a_link_is_that_of_all_ways_to_break_ties(
    seed: int, n: int, q: int, k: int
) -> None:
    k = min(k, n)
    one, candidates_one, near_one = mixed(seed, n, q)
    other, candidates_other, near_other = mixed(seed + 1, n, q)
    links = common_neighbours((one, other), (candidates_one, candidates_other), k)
    found = link_chances(links, k)
    for i in range(q):
        pairs = [(a, b) for a in choices(near_one[i], k) for b in choices(near_other[i], k)]
        expected = np.mean([bool(a & b) for a, b in pairs])
        assert found[i] == pytest.approx(expected, abs=1e-9)


@given(st.integers(1, 7), st.integers(1, 7))
def test_two_blind_choices_meet_as_often_as_counting_says(n: int, k: int) -> None:
    k = min(n, k)
    every = [set(some) for some in combinations(range(n), k)]
    meet = np.mean([bool(a & b) for a in every for b in every])
    assert chance_choices(n, k) == pytest.approx(meet)
