from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.methods.local_suppression.rows import coded_keys, distinct_rows
from microveil.tables import codes as codes_module


def test_rows_are_numbered_in_the_order_of_their_codes() -> None:
    codes = np.array([[1, 0], [0, 5], [-1, 2], [1, 0]], dtype=np.int32)
    found = distinct_rows(codes)
    assert found.codes.tolist() == [[-1, 2], [0, 5], [1, 0]]
    assert found.row.tolist() == [2, 1, 0, 2]
    assert found.counts.tolist() == [1, 1, 2]


def test_codes_beyond_what_a_number_holds_stay_apart() -> None:
    codes = np.random.default_rng(0).integers(0, 2**30, (50, 6)).astype(np.int32)
    assert len(distinct_rows(np.vstack([codes, codes])).codes) == 50


def test_the_most_frequent_value_is_code_0() -> None:
    assert coded_keys(pl.DataFrame({"a": ["x", "y", "y", None]})).tolist() == [[1], [0], [0], [-1]]


def test_a_table_and_sorting_find_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.random.default_rng(4).integers(-1, 4, (300, 3)).astype(np.int32)
    found = distinct_rows(codes)
    monkeypatch.setattr(codes_module, "TABLE", 0)
    sorted_ = distinct_rows(codes)
    assert found.codes.tolist() == sorted_.codes.tolist()
    assert found.counts.tolist() == sorted_.counts.tolist()
    assert found.row.tolist() == sorted_.row.tolist()
    assert found.codes[found.row].tolist() == codes.tolist()
