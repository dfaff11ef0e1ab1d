from __future__ import annotations

import numpy as np
import polars as pl

from microveil.methods.local_suppression.rows import coded_keys, distinct_rows


def test_rows_are_numbered_in_the_order_of_their_codes() -> None:
    codes = np.array([[1, 0], [0, 5], [-1, 2], [1, 0]], dtype=np.int32)
    rows = distinct_rows(codes)
    assert rows.codes.tolist() == [[-1, 2], [0, 5], [1, 0]]
    assert rows.row.tolist() == [2, 1, 0, 2]
    assert rows.counts.tolist() == [1, 1, 2]


def test_codes_beyond_what_a_number_holds_stay_apart() -> None:
    codes = np.random.default_rng(0).integers(0, 2**30, (50, 6)).astype(np.int32)
    assert len(distinct_rows(np.vstack([codes, codes])).codes) == 50


def test_the_most_frequent_value_is_code_0() -> None:
    assert coded_keys(pl.DataFrame({"a": ["x", "y", "y", None]})).tolist() == [[1], [0], [0], [-1]]
