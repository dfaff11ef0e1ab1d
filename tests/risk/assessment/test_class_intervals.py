from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

from microveil.risk.assessment.class_intervals import class_intervals, interval_parts
from microveil.tables import Classes, Table

FRAME = pl.DataFrame({"q": [1, 1, 2, 2, 3], "pay": [10.0, 12.0, 0.0, 20.0, None]})


def test_each_class_has_the_interval_of_its_numbers() -> None:
    classes = Classes.of(Table(FRAME), ["q"])
    ends = class_intervals(classes, FRAME["pay"])
    assert ends.columns == ["column", "class", "size", "low", "high", "width_share"]
    found = {(row[3], row[4]): (row[2], row[5]) for row in ends.iter_rows()}
    assert found == {(10.0, 12.0): (2, pytest.approx(0.1)), (0.0, 20.0): (2, pytest.approx(1.0))}
    assert interval_parts(ends, 0.2) == {
        "interval_share": 0.5,
        "narrowest": pytest.approx(0.1),
        "mean_width": pytest.approx(0.55),
    }


def test_dates_count_in_their_unit_and_without_a_range_nothing_is_learnt() -> None:
    days = pl.Series("day", [dt.date(2020, 1, day) for day in (1, 3, 1, 11, 1)])
    classes = Classes.of(Table(FRAME), ["q"])
    widths = class_intervals(classes, days).sort("high")["width_share"].to_list()
    assert widths == pytest.approx([0.0, 0.2, 1.0])
    same = class_intervals(classes, pl.Series("x", [5] * 5))
    none = class_intervals(classes, pl.Series("x", [None] * 5, dtype=pl.Int64))
    for ends in (same, none):
        assert interval_parts(ends, 0.2)["interval_share"] == 0.0
        assert interval_parts(ends, 0.2)["narrowest"] == 1.0
