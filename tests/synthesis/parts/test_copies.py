from __future__ import annotations

import numpy as np
import polars as pl

from microveil.synthesis.parts.copies import equal_records, replicated_uniques
from microveil.tables import Roles, Table

REAL = pl.DataFrame({"x": [1, 1, 2, None], "y": ["a", "a", "b", "c"]})


def test_records_equal_to_a_real_one_are_counted_beside_chance() -> None:
    drawn = pl.DataFrame({"x": [1.0, 2.0, 2.0, None, 9.0], "y": ["a", "b", "a", "c", "c"]})
    found = equal_records(REAL, drawn, ["x", "y"])
    assert found["n_equal_to_real"] == 3
    assert found["equal_share"] == 3 / 5
    assert found["equal_share_by_chance"] == 1 - 2 / 4


def test_there_is_nothing_to_count_without_columns_or_records() -> None:
    assert equal_records(REAL, REAL, []) == {}
    assert equal_records(REAL.clear(), REAL, ["x"]) == {}
    assert equal_records(REAL, REAL.clear(), ["x"]) == {}


def test_unique_records_that_meet_a_unique_one_are_marked() -> None:
    roles = Roles(quasi_identifiers=["x"])
    real = Table({"x": [1, 1, 2, 3]}, roles)
    drawn = Table({"x": [1, 2, 3, 3, 9]}, roles)
    assert replicated_uniques(real, drawn, ["x"]).tolist() == [False, True, False, False, False]


def test_rows_that_an_earlier_step_removed_do_not_count() -> None:
    frame = {"id": [1, 1, 2, 3, 3, 4], "x": [5, 6, 7, 8, 8, 9]}
    left = Table(frame, Roles(quasi_identifiers=["x"], entity="id")).take(np.array([2, 4, 5]))
    assert replicated_uniques(left, left, ["x"]).tolist() == [True, True, True]
