from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking import category_cover
from microveil.kernels.blanking.category_cover import gather, rows_after

FIRST, NONE = np.array([0]), np.zeros(0, np.int64)
Case = tuple[Any, Any, int, Any]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Distinct rows, their records, k and masks."""
    m = draw(st.integers(1, 4))
    rows = draw(st.sets(st.tuples(*[st.integers(-1, 2)] * m), min_size=1, max_size=20))
    codes = np.array(sorted(rows), dtype=np.int32)
    counts = np.array(draw(st.lists(st.integers(1, 7), min_size=len(codes), max_size=len(codes))))
    k = draw(st.integers(2, 9))
    assume(counts.sum() >= k)
    known = draw(st.sets(st.integers(1, 2**m - 1))) | {2**m - 1}
    return codes, counts, k, np.array(sorted(known), dtype=np.int64)


@settings(max_examples=400, deadline=None)
@given(cases())
def test_records_move_to_blanker_rows_until_each_row_has_k_or_none(case: Case) -> None:
    codes, counts, k, bits = case
    rare = np.flatnonzero(counts < k)
    moves, rows = gather(codes, counts, k, rare, bits, np.ones(codes.shape[1]))
    sizes = dict.fromkeys(range(len(rows)), 0) | dict(enumerate(counts.tolist()))
    for row, n, to in moves.tolist():
        assert 0 < n <= sizes[row]
        sizes[row] -= n
        sizes[to] += n
        assert ((rows[to] == rows[row]) | (rows[to] < 0)).all()
    assert all(size == 0 or size >= k for size in sizes.values())
    assert sum(sizes.values()) == counts.sum()
    held = [tuple(row) for row, size in zip(rows.tolist(), sizes.values(), strict=True) if size]
    assert len(set(held)) == len(held)
    assert (rows[: len(codes)] == codes).all()


def test_safe_rows_stay() -> None:
    codes = np.array([[0], [1]], dtype=np.int32)
    assert len(gather(codes, np.array([2, 3]), 2, NONE, np.array([1]), np.ones(1)).moves) == 0


def test_the_cheaper_column_is_blanked() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0]], dtype=np.int32)
    counts, bits = np.array([1, 5, 5]), np.array([1, 2, 3])
    for cheap, expensive in ((0, 1), (1, 0)):
        costs = np.ones(2)
        costs[expensive] = 3
        _, rows = gather(codes, counts, 2, FIRST, bits, costs)
        assert rows[3, cheap] == -1
        assert rows[3, expensive] == 0


def test_records_beyond_k_join_before_whole_rows_do() -> None:
    codes = np.array([[0, 0], [0, 1], [0, 2]], dtype=np.int32)
    moves = gather(codes, np.array([1, 2, 4]), 2, FIRST, np.array([2, 3]), np.ones(2)).moves
    assert moves.tolist() == [[0, 1, 3], [2, 1, 3]]


def test_too_few_records_and_masks_that_cannot_blank_all_are_refused() -> None:
    codes = np.array([[0, 0]], dtype=np.int32)
    with pytest.raises(ValueError, match="k = 2 records, there are 1"):
        gather(codes, np.array([1]), 2, FIRST, np.array([3]), np.ones(2))
    with pytest.raises(ValueError, match="All columns"):
        gather(codes, np.array([2]), 2, NONE, np.array([1]), np.ones(2))


@settings(max_examples=200, deadline=None)
@given(cases(), st.data())
def test_some_of_the_rare_rows_may_wait_and_are_left_alone(case: Case, data: st.DataObject) -> None:
    codes, counts, k, bits = case
    every = np.flatnonzero(counts < k)
    rare = every[: data.draw(st.integers(0, len(every)))]
    waiting = every[len(rare) :]
    assume(counts[rare].sum() + counts[counts >= k].sum() >= k)
    moves, rows = gather(codes, counts, k, rare, bits, np.ones(codes.shape[1]))
    assert not set(moves[:, [0, 2]].ravel().tolist()) & set(waiting.tolist())
    row = np.repeat(np.arange(len(codes)), counts)
    after = rows_after(moves, row, len(rows))
    sizes = np.bincount(after, minlength=len(rows))
    sizes[waiting] = 0
    assert ((sizes == 0) | (sizes >= k)).all()


def test_records_follow_the_moves_the_first_of_a_row_first() -> None:
    row = np.array([0, 1, 0, 0, 1])
    moves = np.array([[0, 2, 2], [2, 1, 3], [1, 1, 2]])
    assert rows_after(moves, row, 4).tolist() == [2, 2, 3, 0, 1]
    after, stacks = row.tolist(), {0: [3, 2, 0], 1: [4, 1], 2: [], 3: []}
    for left, n, to in moves.tolist():
        for _ in range(n):
            record = stacks[left].pop()
            stacks[to].append(record)
            after[record] = to
    assert rows_after(moves, row, 4).tolist() == after


@pytest.mark.parametrize("most", [0, 40, 10**9])
def test_rows_are_safe_however_long_records_to_add_are_looked_for(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(category_cover, "MOST_LOOKED_AT", most)
    codes = np.unique(np.random.default_rng(1).integers(0, 4, (60, 3)).astype(np.int32), axis=0)
    counts = np.random.default_rng(2).integers(1, 6, len(codes))
    rare = np.flatnonzero(counts < 4)
    moves, rows = gather(codes, counts, 4, rare, np.arange(1, 8), np.ones(3))
    row = np.repeat(np.arange(len(codes)), counts)
    sizes = np.bincount(rows_after(moves, row, len(rows)))
    assert sizes[sizes > 0].min() >= 4
