from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.tables.row_sorting import content_order

FRAME = pl.DataFrame(
    {
        "n": [2, None, 1, 1, 2],
        "c": pl.Series(["b", "a", "b", "a", None], dtype=pl.Categorical),
        "t": ["x", "y", "x", "z", ""],
    }
)


@pytest.mark.parametrize("seed", range(3))
def test_shuffled_rows_are_sorted_into_the_same_table(seed: int) -> None:
    shuffled = FRAME[np.random.default_rng(seed).permutation(FRAME.height)]
    assert shuffled[content_order(shuffled)].equals(FRAME[content_order(FRAME)])


def test_a_further_frame_decides_between_equal_rows() -> None:
    first, second = pl.DataFrame({"x": [1, 1, 0]}), pl.DataFrame({"y": ["b", "a", "c"]})
    assert content_order(first, second).tolist() == [2, 1, 0]


def test_rows_without_columns_keep_their_order() -> None:
    assert content_order(pl.DataFrame()).tolist() == []
