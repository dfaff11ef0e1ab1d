from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking.packed_rows import missing_bits
from microveil.kernels.blanking.wildcard_matches import wildcard_matches


def pair_by_pair(codes: Any, counts: Any, rows: Any, blanked: int) -> list[int]:
    """The same by comparing each row with all rows."""
    n, m = codes.shape
    found = []
    for row in rows:
        mine = [-1 if blanked >> c & 1 else codes[row, c] for c in range(m)]
        total = 0
        for other in range(n):
            if m > 1 and -1 not in mine and (codes[other] < 0).all():
                continue
            pairs = zip(mine, codes[other], strict=True)
            total += counts[other] * all(-1 in pair or pair[0] == pair[1] for pair in pairs)
        found.append(int(total))
    return found


@st.composite
def distinct(draw: st.DrawFn) -> tuple[Any, Any]:
    """Distinct rows, now and then of codes too large to be packed exactly, and their records."""
    m = draw(st.integers(1, 5))
    rows = draw(st.sets(st.tuples(*[st.integers(-1, 2)] * m), min_size=1, max_size=30))
    codes = np.array(sorted(rows), dtype=np.int32)
    codes[codes == 2] = draw(st.sampled_from([2, 2**31 - 3]))
    counts = draw(st.lists(st.integers(1, 4), min_size=len(codes), max_size=len(codes)))
    return codes, np.array(counts, dtype=np.int64)


@settings(max_examples=300, deadline=None)
@given(distinct(), st.integers(0, 31), st.integers(0, 5))
def test_matches_are_those_of_comparing_all_pairs(
    table: tuple[Any, Any], blanked: int, skipped: int
) -> None:
    codes, counts = table
    blanked &= (1 << codes.shape[1]) - 1
    rows = np.arange(len(codes))[skipped:]
    found = wildcard_matches(codes, counts, rows, blanked)
    assert found.tolist() == pair_by_pair(codes, counts, rows, blanked)


def test_a_fully_missing_row_counts_for_incomplete_rows_only() -> None:
    codes = np.array([[0, 0], [0, -1], [-1, -1]], dtype=np.int32)
    assert wildcard_matches(codes, np.array([1, 1, 5]), np.arange(3)).tolist() == [2, 7, 7]


def test_a_missing_cell_of_a_single_column_counts_for_all() -> None:
    codes = np.array([[0], [1], [-1]], dtype=np.int32)
    assert wildcard_matches(codes, np.array([1, 2, 5]), np.arange(3)).tolist() == [6, 7, 8]


def test_more_columns_than_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="62 columns at most, not 63"):
        missing_bits(np.zeros((1, 63), dtype=np.int32))
