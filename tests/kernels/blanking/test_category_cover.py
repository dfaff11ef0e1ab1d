from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking.category_cover import gather

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
    moves, rows = gather(codes, counts, k, bits, np.ones(codes.shape[1]))
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
    assert len(gather(codes, np.array([2, 3]), 2, np.array([1]), np.ones(1)).moves) == 0


def test_the_cheaper_column_is_blanked() -> None:
    codes = np.array([[0, 0], [0, 1], [1, 0]], dtype=np.int32)
    counts, bits = np.array([1, 5, 5]), np.array([1, 2, 3])
    for cheap, expensive in ((0, 1), (1, 0)):
        costs = np.ones(2)
        costs[expensive] = 3
        _, rows = gather(codes, counts, 2, bits, costs)
        assert rows[3, cheap] == -1
        assert rows[3, expensive] == 0


def test_records_beyond_k_join_before_whole_rows_do() -> None:
    codes = np.array([[0, 0], [0, 1], [0, 2]], dtype=np.int32)
    moves = gather(codes, np.array([1, 2, 4]), 2, np.array([2, 3]), np.ones(2)).moves
    assert moves.tolist() == [[0, 1, 3], [2, 1, 3]]


def test_too_few_records_and_masks_that_cannot_blank_all_are_refused() -> None:
    codes = np.array([[0, 0]], dtype=np.int32)
    with pytest.raises(ValueError, match="k = 2 records, there are 1"):
        gather(codes, np.array([1]), 2, np.array([3]), np.ones(2))
    with pytest.raises(ValueError, match="All columns"):
        gather(codes, np.array([2]), 2, np.array([1]), np.ones(2))
