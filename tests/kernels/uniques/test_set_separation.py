from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.uniques.set_separation import set_separation


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_counts_are_those_of_grouping_each_set_apart(data: st.DataObject) -> None:
    m = data.draw(st.integers(1, 5))
    cells = st.tuples(*[st.integers(0, data.draw(st.integers(0, 3)))] * m)
    table = np.array(data.draw(st.lists(cells, min_size=1, max_size=30)), dtype=np.int32).T
    max_size = data.draw(st.integers(1, m))
    distinct, counts = np.unique(table, axis=1, return_counts=True)
    found: dict[int, tuple[int, ...]] = {}
    for part in set_separation(distinct, counts, max_size):
        found |= {int(row[0]): tuple(map(int, row[1:])) for row in zip(*part, strict=True)}
    expected = {}
    for size in range(1, max_size + 1):
        for chosen in combinations(range(m), size):
            _, sizes = np.unique(table[list(chosen)], axis=1, return_counts=True)
            pairs = int((sizes * (sizes - 1) // 2).sum())
            bits = sum(1 << column for column in chosen)
            expected[bits] = (len(sizes), pairs, int((sizes == 1).sum()))
    assert found == expected


def test_no_row_has_no_class() -> None:
    parts = list(set_separation(np.zeros((2, 0), np.int32), np.zeros(0, np.int64), 2))
    assert [part.n_classes.tolist() for part in parts] == [[0], [0, 0]]


def test_arrays_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="3 rows, 2 counts"):
        next(set_separation(np.zeros((1, 3), np.int32), np.ones(2, np.int64), 1))
