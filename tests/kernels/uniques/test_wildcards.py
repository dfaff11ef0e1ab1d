from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.uniques.wildcards import (
    incomplete_rows,
    index_incomplete,
    is_hidden,
    never_unique,
)

cells = st.integers(-1, 2)


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 4), st.data())
def test_a_row_is_hidden_by_incomplete_rows_of_others_that_match_it(
    m: int, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.tuples(*[cells] * m), min_size=1, max_size=20))
    n = len(rows)
    owners = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.int32)
    codes = np.array(rows, np.int32).T.copy()
    incomplete = incomplete_rows(codes)
    partly = [-1 in row and set(row) != {-1} for row in rows]
    assert incomplete.rows.tolist() == np.flatnonzero(partly).tolist()
    for size in range(1, m + 1):
        for chosen in combinations(range(m), size):
            bits = sum(1 << column for column in chosen)
            index_incomplete(codes, owners, incomplete, bits)
            for row in range(n):
                if any(rows[row][c] < 0 for c in chosen):
                    continue
                expected = any(
                    partly[other]
                    and owners[other] != owners[row]
                    and any(rows[other][c] < 0 for c in chosen)
                    and all(rows[other][c] in (-1, rows[row][c]) for c in chosen)
                    for other in range(n)
                )
                assert is_hidden(codes, int(owners[row]), incomplete, row, bits) == expected


def test_missing_cells_are_bits_of_a_pattern() -> None:
    codes = np.array([[0, -1, -1, 1], [0, 0, -1, -1], [0, 0, 0, 0]], np.int32)
    found = incomplete_rows(codes)
    assert found.rows.tolist() == [1, 2, 3]
    assert found.missing.tolist() == [1, 3, 2]
    assert found.patterns.tolist() == [1, 2, 3]


def test_a_row_without_any_cell_stands_apart_and_hides_what_lacks_a_cell() -> None:
    codes = np.array([[0, -1, -1, 1], [0, 0, -1, -1]], np.int32)
    assert incomplete_rows(codes).rows.tolist() == [1, 3]
    owners = np.array([0, 1, 2, 3], np.int32)
    assert never_unique(codes, owners).tolist() == [False, True, False, True]
    assert never_unique(codes[:1], owners).tolist() == [True, True, True, True]
    assert not never_unique(codes[:, :2], owners[:2]).any()
    assert not len(incomplete_rows(np.zeros((2, 3), np.int32)).rows)
