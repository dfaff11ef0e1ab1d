from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.neighbours.gower_neighbours import (
    Candidates,
    Chances,
    Queries,
    guess_chances,
    nearest,
)
from tests.kernels.gower import mixed

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


@pytest.mark.parametrize("seed", range(3))
def test_blocks_that_are_left_hold_nobody_nearer(seed: int) -> None:
    queries, candidates, distances = mixed(seed, 700, 20)
    first, second, _ = nearest(queries, candidates, np.full(20, -1))
    assert np.array_equal(np.sort(distances, axis=1)[:, :2], np.stack([first, second], axis=1))
    codes = np.random.default_rng(seed).integers(0, 4, 700).astype(np.int32)
    chances = Chances(np.zeros(20, np.int64), np.eye(4)[:1], codes, np.zeros(0), np.zeros(0), 0.0)
    near = distances == distances.min(axis=1, keepdims=True)
    expected = [(codes[row] == 0).mean() for row in near]
    assert guess_chances(queries, candidates, chances) == pytest.approx(expected)
