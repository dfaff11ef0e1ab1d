"""A release beside its original: bars of each column, and correlations that changed."""

from __future__ import annotations

import polars as pl

from microveil import app
from microveil.tables import Roles, Table
from microveil.web.project.comparing import (
    MOST_COLUMNS,
    PairView,
    column_pairs,
    pair_view,
)
from microveil.web.project.risk_view import MeasureView

BEFORE = pl.DataFrame(
    {
        "sex": ["f", "m"] * 4,
        "x": [1, 2, 3, 4, 5, 6, 7, 8],
        "y": [2, 4, 6, 8, 10, 12, 14, 16],
        "tags": [["a"]] * 8,
    }
)


def test_a_column_that_is_gone_has_no_bars_after() -> None:
    pairs = {one.name: one for one in column_pairs(BEFORE, BEFORE.drop("x"))}
    assert list(pairs) == ["sex", "x", "y"]
    assert pairs["x"].after == ()
    assert pairs["x"].before
    assert [(one.label, one.count) for one in pairs["sex"].after] == [("f", 4), ("m", 4)]
    wide = pl.DataFrame({f"c{i}": [1] for i in range(MOST_COLUMNS + 5)})
    assert len(column_pairs(wide, wide)) == MOST_COLUMNS


def view(*measures: MeasureView) -> PairView:
    return PairView((), measures, (), {}, (), (), ())


def test_a_measure_taken_again_takes_the_place_of_the_first() -> None:
    one, other = MeasureView("a", 1.0, "lower", {}), MeasureView("b", 2.0, "lower", {})
    again = MeasureView("a", 9.0, "lower", {})
    assert view(one, other).with_more(view(again)).utility == (other, again)


def test_a_comparison_is_plain_data() -> None:
    roles = Roles(quasi_identifiers=["sex"])
    original = Table(BEFORE.drop("tags"), roles)
    released = original.drop(["y"])
    found = pair_view(app.compare(original, released), original, released)
    assert {one.name for one in found.columns} == {"sex", "x", "y"}
    assert found.utility
    assert found.verdicts
