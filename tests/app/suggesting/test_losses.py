from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from microveil.app.suggesting.losses import column_distinctions, distinctions, kept_share


@given(st.lists(st.one_of(st.integers(0, 3), st.none()), max_size=20))
def test_distinctions_are_pairs_that_differ(cells: list[int | None]) -> None:
    there = [cell for cell in cells if cell is not None]
    pairs = sum(one != other for one, other in combinations(there, 2))
    assert column_distinctions(pl.Series(cells, dtype=pl.Int64)) == pairs


def test_a_constant_column_has_nothing_to_lose() -> None:
    same = pl.Series(["a", "a"])
    assert kept_share(same, same) == 1.0
    assert distinctions(np.array([2])) == 0


def test_a_column_that_is_gone_keeps_nothing() -> None:
    assert kept_share(pl.Series([1, 2]), None) == 0.0
    assert kept_share(pl.Series([1, 2]), pl.Series([None, None], dtype=pl.Int64)) == 0.0
