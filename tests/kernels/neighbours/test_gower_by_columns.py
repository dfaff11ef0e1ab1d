from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.neighbours.gower_neighbours import (
    Candidates,
    Chances,
    common_neighbours,
    guess_chances,
    nearest,
)
from tests.kernels.gower import mixed
from tests.kernels.ways import both_ways

sizes = {"seed": st.integers(0, 10_000), "n": st.integers(1, 12), "q": st.integers(1, 9)}


def repeated(candidates: Candidates, times: int) -> Candidates:
    return Candidates(
        np.tile(candidates.numbers, (1, times)),
        candidates.scales,
        np.tile(candidates.codes, (1, times)),
        np.tile(candidates.labels, (1, times)),
    )


@given(**sizes, times=st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_numpy_finds_the_same_neighbours_to_the_last_bit(
    seed: int, n: int, q: int, times: int
) -> None:
    queries, candidates, _ = mixed(seed, n, q)
    many = repeated(candidates, times)
    skip = np.arange(q) % (times * n + 1) - 1
    for one, other in zip(*both_ways(lambda: nearest(queries, many, skip)), strict=True):
        assert one.tobytes() == other.tobytes()


@given(**sizes, times=st.integers(1, 3))
@settings(max_examples=40, deadline=None)
def test_numpy_guesses_alike_to_the_last_bit(seed: int, n: int, q: int, times: int) -> None:
    queries, candidates, _ = mixed(seed, n, q)
    many = repeated(candidates, times)
    rng = np.random.default_rng(seed + 1)
    table, rows = rng.random((3, 4)), rng.integers(0, 3, q)
    codes, none = rng.integers(0, 4, n * times).astype(np.int32), np.zeros(0)
    numbers = rng.integers(0, 3, (2, n * times)).astype(float)
    numbers[rng.random(numbers.shape) < 0.3] = np.nan
    for chances in (
        Chances(rows, table, codes, none, none, 0.0),
        Chances(rows[:0], table[:0], codes[:0], np.resize(numbers[0], q), numbers[1], 0.05),
    ):
        one, other = both_ways(lambda: guess_chances(queries, many, chances))  # noqa: B023
        assert one.tobytes() == other.tobytes()


@given(**sizes, times=st.integers(1, 3), k=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_numpy_links_alike(seed: int, n: int, q: int, times: int, k: int) -> None:
    one, few, _ = mixed(seed, n, q)
    other, more, _ = mixed(seed + 1, n, q)
    both = (repeated(few, times), repeated(more, times))
    k = min(k, n * times)
    machine, numpy = both_ways(lambda: common_neighbours((one, other), both, k))
    assert np.array_equal(np.stack(machine), np.stack(numpy))
