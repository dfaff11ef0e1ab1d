from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.uniques.wildcards import incomplete_rows, index_incomplete, is_hidden

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
    assert incomplete.rows.tolist() == [i for i, row in enumerate(rows) if -1 in row]
    for size in range(1, m + 1):
        for chosen in combinations(range(m), size):
            bits = sum(1 << column for column in chosen)
            index_incomplete(codes, owners, incomplete, bits)
            for row in range(n):
                if any(rows[row][c] < 0 for c in chosen):
                    continue
                expected = any(
                    owners[other] != owners[row]
                    and any(rows[other][c] < 0 for c in chosen)
                    and all(rows[other][c] in (-1, rows[row][c]) for c in chosen)
                    for other in range(n)
                )
                assert is_hidden(codes, int(owners[row]), incomplete, row, bits) == expected


def test_missing_cells_are_bits_of_a_pattern() -> None:
    codes = np.array([[0, -1, -1, 1], [0, 0, -1, -1]], np.int32)
    found = incomplete_rows(codes)
    assert found.rows.tolist() == [1, 2, 3]
    assert found.missing.tolist() == [1, 3, 2]
    assert found.patterns.tolist() == [1, 2, 3]
    assert not len(incomplete_rows(np.zeros((2, 3), np.int32)).rows)
