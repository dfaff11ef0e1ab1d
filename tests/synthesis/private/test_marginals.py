from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.synthesis.private.marginals import (
    CodedTable,
    Measurement,
    n_cells,
    shape_of,
    spread_shape,
    summed_axes,
)

SIZES = (2, 3, 4)
rows = st.lists(st.tuples(*(st.integers(0, size - 1) for size in SIZES)), max_size=25)


@given(rows, st.sampled_from([(0,), (1,), (0, 2), (0, 1, 2)]))
def test_cells_are_counted_with_the_last_column_running_fastest(
    records: list[tuple[int, ...]], columns: tuple[int, ...]
) -> None:
    codes = np.array(records, dtype=np.int32).reshape(-1, 3).T
    found = CodedTable(codes, SIZES).counts(columns).reshape(shape_of(SIZES, columns))
    expected = np.zeros(shape_of(SIZES, columns), dtype=np.int64)
    for record in records:
        expected[tuple(record[column] for column in columns)] += 1
    assert found.tolist() == expected.tolist()
    assert found.size == n_cells(SIZES, columns)


def test_two_measurements_of_one_marginal_weigh_by_their_precision() -> None:
    one = Measurement((0,), np.array([10.0, 0.0]), np.array([1.0, 4.0]))
    other = Measurement((0,), np.array([20.0, 8.0]), np.array([3.0, 4.0]))
    both = one.combine(other)
    assert both.values.tolist() == pytest.approx([12.5, 4.0])
    assert both.variance.tolist() == pytest.approx([0.75, 2.0])


def test_a_marginal_is_summed_to_fewer_columns_and_spread_over_more() -> None:
    assert summed_axes((0, 1, 2), (1,)) == (0, 2)
    table = np.arange(24).reshape(SIZES)
    kept = table.sum(axis=summed_axes((0, 1, 2), (0, 2)))
    assert (table / kept.reshape(spread_shape(SIZES, (0, 2), (0, 1, 2)))).shape == SIZES
