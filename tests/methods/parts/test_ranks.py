from __future__ import annotations

from collections import Counter
from decimal import Decimal

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.parts.ranks import (
    gather_from,
    own_places,
    rank_order,
    rows_present,
    sortable,
)


@given(st.lists(st.integers(0, 5), max_size=60), st.integers(0, 2**32))
def test_rank_order_sorts(values: list[int], seed: int) -> None:
    order = rank_order(
        np.array(values), np.arange(len(values), dtype=np.int32), np.random.default_rng(seed)
    )
    assert sorted(order.tolist()) == list(range(len(values)))
    assert [values[row] for row in order] == sorted(values)


def test_every_order_of_ties_is_equally_likely() -> None:
    rng = np.random.default_rng(1)
    values, rows = np.array([7, 3, 7, 9, 7]), np.arange(5, dtype=np.int32)
    drawn = Counter(tuple(rank_order(values, rows, rng).tolist()) for _ in range(6000))
    assert len(drawn) == 6
    assert all(abs(n - 1000) < 5 * 29 for n in drawn.values())
    assert all(order[0] == 1 and order[-1] == 3 for order in drawn)


def test_rank_order_looks_at_its_rows_only() -> None:
    order = rank_order(
        np.array([9, 1, 5, 0]), np.array([0, 2, 1], dtype=np.int32), np.random.default_rng(0)
    )
    assert order.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([3, 1, 2], dtype=pl.UInt64),
        pl.Series([2**63 + 2, 2**63, 2**63 + 1], dtype=pl.UInt64),
        pl.Series([2**100, -(2**100), 0], dtype=pl.Int128),
        pl.Series([Decimal("0.30"), Decimal("0.10"), Decimal("0.20")]),
        pl.Series(["c", "a", "b"], dtype=pl.Enum(["a", "b", "c"])),
        pl.Series([1.5, -2.5, 0.0], dtype=pl.Float32),
    ],
)
def test_sortable_numbers_are_in_the_order_of_the_values(column: pl.Series) -> None:
    assert np.argsort(sortable(column)).tolist() == [1, 2, 0]


def test_cells_come_from_where_they_are_said_to() -> None:
    source = own_places(3)
    column = pl.Series("x", ["a", None, "c"])
    assert gather_from(column, source).equals(column)
    source[[0, 2]] = 2, 0
    assert gather_from(column, source).to_list() == ["c", None, "a"]


def test_rows_with_a_value_are_found() -> None:
    rows = np.array([2, 1, 0], dtype=np.int32)
    strata = [rows[:2], rows[2:]]
    found = rows_present(pl.Series([1, None, 3]), strata)
    assert [part.tolist() for part in found] == [[2], [0]]
    assert rows_present(pl.Series([1, 2, 3]), strata) is strata
