from __future__ import annotations

import numpy as np
import pytest

from microveil.kernels.neighbours.gower_distances import (
    ALIKE,
    fill_block,
    fill_distances,
    find_first_block,
    is_far,
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
    blocks = lead_blocks(candidates)
    for query in range(4):
        first = find_first_block(queries, blocks.leads, query, np.empty(3))
        assert first == int(distances[query, ::ALIKE].argmin())


@pytest.mark.parametrize("seed", range(3))
def test_a_block_is_far_by_the_codes_that_all_of_it_share_and_no_others(seed: int) -> None:
    queries, candidates, distances = mixed(seed, 3 * ALIKE, 4)
    codes = np.sort(candidates.codes, axis=1)  # so that blocks share some codes
    candidates = candidates._replace(codes=np.ascontiguousarray(codes))
    common = lead_blocks(candidates).common
    for query in range(4):
        fill_distances(queries, candidates, query, distances[query])
        for block in range(3):
            cells = codes[:, ALIKE * block : ALIKE * (block + 1)]
            alike = (cells == cells[:, :1]).all(axis=1)
            apart = int((alike & (cells[:, 0] != queries.codes[query])).sum())
            least = distances[query, ALIKE * block : ALIKE * (block + 1)].min()
            assert is_far(queries, common, query, block, apart - 0.5)
            assert not is_far(queries, common, query, block, apart)
            assert apart <= least
