from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.blanking.packed_rows import (
    MOST_COLUMNS,
    missing_bits,
    packed_row,
    packed_rows,
    slot_of,
    strides,
)

tables = st.integers(1, 5).flatmap(
    lambda m: st.lists(st.tuples(*[st.integers(-1, 3)] * m), min_size=1, max_size=20)
)


@settings(deadline=None)
@given(tables, st.integers(0, 31))
def test_rows_share_a_number_where_they_agree_on_what_is_shown(
    rows: list[tuple[int, ...]], hidden: int
) -> None:
    codes = np.array(rows, np.int32)
    packed = packed_rows(codes, hidden, strides(codes))
    shown = [tuple(c for j, c in enumerate(row) if not hidden >> j & 1) for row in rows]
    for one, other in combinations(range(len(rows)), 2):
        assert (packed[one] == packed[other]) == (shown[one] == shown[other])
    for row in range(len(rows)):
        assert packed_row(codes, row, hidden, strides(codes)) == packed[row]


def test_rows_too_wide_to_be_packed_exactly_hardly_ever_meet() -> None:
    codes = np.random.default_rng(0).integers(-1, 10**6, (5000, 20)).astype(np.int32)
    packed = packed_rows(codes, 0, strides(codes))
    assert len(np.unique(packed)) == len(np.unique(codes, axis=0))
    again = packed_rows(codes.copy(), 0, strides(codes))
    assert packed.tolist() == again.tolist()


@given(tables)
def test_missing_cells_are_bits(rows: list[tuple[int, ...]]) -> None:
    found = missing_bits(np.array(rows, np.int32))
    expected = [sum(1 << j for j, code in enumerate(row) if code < 0) for row in rows]
    assert found.tolist() == expected


def test_more_columns_than_bits_are_refused() -> None:
    assert missing_bits(np.full((1, MOST_COLUMNS), -1, np.int32))[0] == 2**MOST_COLUMNS - 1
    with pytest.raises(ValueError, match="62 columns at most, not 63"):
        missing_bits(np.zeros((1, MOST_COLUMNS + 1), np.int32))


@pytest.mark.parametrize("n_slots", [2, 64, 4096])
def test_searches_start_inside_the_table_and_spread(n_slots: int) -> None:
    places = [slot_of(packed, n_slots) for packed in range(0, 28_000, 7)]
    assert min(places) >= 0
    assert max(places) < n_slots
    assert len(set(places)) > 0.5 * min(n_slots, 4000)
