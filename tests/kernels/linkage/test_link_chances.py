from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.linkage.link_chances import chance_choices, link_chances
from microveil.kernels.neighbours.gower_neighbours import common_neighbours
from tests.kernels.gower import mixed

sizes = {"seed": st.integers(0, 10_000), "n": st.integers(1, 12), "q": st.integers(1, 9)}


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
