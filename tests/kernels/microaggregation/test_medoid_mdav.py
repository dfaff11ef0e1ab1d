"""MDAV by distances alone, beside the algorithm as it is printed."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.kernels.microaggregation.medoid_mdav import medoid_mdav


def plain_mdav(apart: NDArray[np.float32], k: int) -> list[list[int]]:
    """The algorithm as the course prints it, with the medoid for the average."""
    left, groups = list(range(len(apart))), []

    def group_around(centre: int) -> None:
        nearest = sorted(left, key=lambda i: (i != centre, apart[centre, i], i))[:k]
        groups.append(sorted(nearest))
        for record in nearest:
            left.remove(record)

    def farthest(start: int) -> int:
        return max(left, key=lambda i: (apart[start, i], -i))

    def medoid() -> int:
        return min(left, key=lambda i: (sum(apart[i, j] for j in left), i))

    while len(left) >= 3 * k:
        first = farthest(medoid())
        group_around(first)
        group_around(farthest(first))
    if len(left) >= 2 * k:
        group_around(farthest(medoid()))
    groups.append(left)
    return groups


@given(st.lists(st.integers(0, 40), min_size=4, max_size=25), st.integers(2, 4))
@settings(deadline=None)
def test_groups_are_those_of_the_printed_algorithm(values: list[int], k: int) -> None:
    apart = np.abs(np.subtract.outer(values, values)).astype(np.float32)
    labels = medoid_mdav(apart, k)
    expected = plain_mdav(apart, k)
    for group, rows in enumerate(expected):
        assert np.flatnonzero(labels == group).tolist() == sorted(rows)
