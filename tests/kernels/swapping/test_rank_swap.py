from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.arrays import Floats
from microveil.kernels.swapping.rank_swap import (
    permute_blocks,
    swap_chain,
    swap_partners,
    swap_window,
)


def naive_partners(n: int, reach: int, chances: Floats) -> list[int]:
    """Algorithm 1 as it is written: look through the range for those not yet swapped."""
    partners = [-1] * n
    used = 0
    for rank in range(n):
        if partners[rank] >= 0:
            continue
        free = [k for k in range(rank + 1, min(n, rank + reach + 1)) if partners[k] < 0]
        if free:
            other = free[int(chances[used] * len(free))]
            used += 1
            partners[rank], partners[other] = other, rank
        else:
            partners[rank] = rank
    return partners


def naive_blocks(n: int, size: int) -> list[list[int]]:
    blocks = [list(range(start, min(n, start + size))) for start in range(0, n, size)]
    if len(blocks) > 1 and len(blocks[-1]) == 1:
        alone = blocks.pop()
        blocks[-1] += alone
    return blocks


sizes = st.integers(0, 400)
seeds = st.integers(0, 2**32)


@given(sizes, st.integers(0, 420), seeds)
def test_partners_are_those_of_the_naive_search(n: int, reach: int, seed: int) -> None:
    chances = np.random.default_rng(seed).random(n // 2)
    assert swap_partners(n, reach, chances).tolist() == naive_partners(n, reach, chances)


@given(sizes, st.integers(1, 420), seeds)
def test_pairs_are_disjoint_and_nobody_moves_further_than_the_reach(
    n: int, reach: int, seed: int
) -> None:
    partners = swap_partners(n, reach, np.random.default_rng(seed).random(n // 2))
    ranks = np.arange(n)
    assert (partners[partners] == ranks).all()
    assert (np.abs(partners - ranks) <= reach).all()


@given(sizes, st.integers(1, 50), seeds)
def test_only_the_last_ranks_may_be_left_without_a_partner(n: int, reach: int, seed: int) -> None:
    partners = swap_partners(n, reach, np.random.default_rng(seed).random(n // 2))
    alone = np.flatnonzero(partners == np.arange(n))
    assert (alone >= n - reach).all()


def test_every_free_rank_in_reach_is_equally_likely() -> None:
    rng = np.random.default_rng(1)
    drawn = Counter(tuple(swap_partners(4, 2, rng.random(2)).tolist()) for _ in range(8000))
    # 0 takes 1 or 2; after 1, rank 2 must take 3; after 2, rank 1 must take 3.
    assert set(drawn) == {(1, 0, 3, 2), (2, 3, 0, 1)}
    assert abs(drawn[1, 0, 3, 2] - 4000) < 5 * 45


def test_a_chance_that_was_rounded_to_one_takes_the_last() -> None:
    assert swap_partners(4, 3, np.array([1.0, 1.0])).tolist() == [3, 2, 1, 0]


@pytest.mark.parametrize("n", [63, 64, 65, 127, 128, 129, 4096, 20_000])
def test_word_borders_make_no_difference(n: int) -> None:
    chances = np.random.default_rng(n).random(n // 2)
    reach = n // 50 + 1
    assert swap_partners(n, reach, chances).tolist() == naive_partners(n, reach, chances)


def test_the_example_of_the_course_module_is_one_of_the_results() -> None:
    ages = np.array([12, 23, 28, 30, 42, 46, 51, 55, 61, 68])
    partners = swap_partners(10, 3, np.array([0.0, 0.4, 0.6, 0.0, 0.0]))
    assert ages[partners].tolist() == [23, 12, 42, 51, 28, 55, 30, 46, 68, 61]


@given(sizes, st.integers(0, 420), seeds)
def test_a_chain_swaps_every_rank_in_its_turn(n: int, reach: int, seed: int) -> None:
    chances = np.random.default_rng(seed).random(n)
    held = list(range(n))
    for rank in range(n):
        ahead = range(rank + 1, min(n, rank + reach + 1))
        if ahead:
            other = ahead[int(chances[rank] * len(ahead))]
            held[rank], held[other] = held[other], held[rank]
    assert swap_chain(n, reach, chances).tolist() == held


@given(sizes, st.integers(1, 420), seeds)
def test_blocks_are_mixed_inside_and_only_there(n: int, size: int, seed: int) -> None:
    source = permute_blocks(n, size, np.random.default_rng(seed).random(n))
    for block in naive_blocks(n, size):
        assert sorted(source[block].tolist()) == block


def test_every_order_of_a_block_is_equally_likely() -> None:
    rng = np.random.default_rng(2)
    drawn = Counter(tuple(permute_blocks(3, 3, rng.random(3)).tolist()) for _ in range(6000))
    assert len(drawn) == 6
    assert all(abs(n - 1000) < 5 * 29 for n in drawn.values())


def test_impossible_requests_are_refused() -> None:
    with pytest.raises(ValueError, match="10 ranks need a reach ≥ 0 and 5 chances"):
        swap_partners(10, 3, np.zeros(4))
    with pytest.raises(ValueError, match="reach"):
        swap_partners(10, -1, np.zeros(5))
    with pytest.raises(ValueError, match="as many chances"):
        swap_chain(10, 3, np.zeros(9))
    with pytest.raises(ValueError, match="blocks of at least one"):
        permute_blocks(10, 0, np.zeros(10))


@given(st.integers(1, 200), st.integers(1, 40), st.integers(1, 60), st.randoms())
def test_windows_swap_as_the_whole_does(n: int, reach: int, step: int, random: Random) -> None:
    chances = np.array([random.random() for _ in range(n)])
    whole = swap_partners(n, reach, chances)
    found = np.full(n, -1)
    taken, start, used = np.zeros(n, dtype=np.bool_), 0, 0
    while start < n:
        stop = min(start + step + reach, n)
        n_choosers = min(step, n - start)
        here = np.append(chances[used:], np.zeros(n_choosers))
        partners = swap_window(taken[start:stop], n_choosers, reach, here)
        known = np.flatnonzero(partners >= 0)
        assert (found[start + known] == -1).all()
        found[start + known] = start + partners[known]
        taken[start + known] = True
        used += int((partners[:n_choosers] > np.arange(n_choosers)).sum())
        start += n_choosers
    assert found.tolist() == whole.tolist()
