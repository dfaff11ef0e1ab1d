from __future__ import annotations

import polars as pl
import pytest

import microveil as mv
from tests.utility.cases import DATA


def test_sse_is_the_loss_microaggregation_reports() -> None:
    frame = pl.read_csv(DATA / "casc" / "Tarragona.csv").cast(pl.Float64)
    released = mv.Microaggregate(columns=frame.columns, k=3).protect(frame)
    assert mv.Sse().measure(frame, released).value == pytest.approx(16.9326, abs=5e-5)


def test_every_value_at_its_mean_loses_all_and_a_constant_column_counts_for_nothing() -> None:
    before = {"x": [1.0, 2.0, 6.0], "same": [4.0, 4.0, 4.0]}
    score = mv.Sse().measure(before, {"x": [3.0, 3.0, 3.0], "same": [5.0, 5.0, 5.0]})
    assert score.value == pytest.approx(100)
    assert score.parts["columns"] == {"x": pytest.approx(100), "same": 0}


def test_a_table_without_complete_records_lost_nothing_that_can_be_seen() -> None:
    before = {"x": [1.0, None], "y": [None, 2.0]}
    assert mv.Sse().measure(before, {"x": [9.0, None], "y": [None, 9.0]}).value == 0


def test_sse_has_the_plain_sum_of_squares() -> None:
    before = {"x": [1.0, 2.0, 3.0, None], "y": [10.0, 20.0, 30.0, 40.0]}
    after = {"x": [2.0, 2.0, 5.0, 4.0], "y": [10.0, 17.0, 30.0, 44.0]}
    parts = mv.Sse().measure(before, after).parts
    assert parts["sums"] == {"x": 5.0, "y": 9.0}  # the record with a gap is left out
    assert parts["sum"] == 14.0
