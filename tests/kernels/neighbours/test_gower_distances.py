from __future__ import annotations

import numpy as np
import pytest

from microveil.kernels.neighbours.gower_distances import (
    ALIKE,
    fill_block,
    fill_distances,
    find_first_block,
    lead_blocks,
)
from tests.kernels.gower import mixed


@pytest.mark.parametrize("seed", range(3))
def test_distances_are_those_of_a_scan_cell_by_cell(seed: int) -> None:
    queries, candidates, distances = mixed(seed, 30, 4)
    found = np.empty(30)
    for query in range(4):
        fill_distances(queries, candidates, query, found)
        assert np.array_equal(found, distances[query])


@pytest.mark.parametrize("seed", range(3))
def test_a_block_is_left_only_if_all_of_it_is_farther(seed: int) -> None:
    queries, candidates, distances = mixed(seed, 30, 4)
    found = np.empty(30)
    for query in range(4):
        least = distances[query, 10:20].min()
        assert fill_block(queries, candidates, query, (10, 20), found, least)
        assert np.array_equal(found[10:20], distances[query, 10:20])
        assert not fill_block(queries, candidates, query, (10, 20), found, least - 1e-9)


def test_the_search_begins_where_the_first_of_a_block_is_nearest() -> None:
    queries, candidates, distances = mixed(1, 3 * ALIKE, 4)
    leads = lead_blocks(candidates)
    for query in range(4):
        first = find_first_block(queries, leads, query, np.empty(3))
        assert first == int(distances[query, ::ALIKE].argmin())
