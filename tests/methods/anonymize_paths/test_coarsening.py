from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

import microveil as mv
from microveil.hierarchies import Digits
from microveil.methods.anonymize_paths.coarsening import Ladder, on_grid


def test_versions_grow_coarser_in_turn() -> None:
    frame = pl.DataFrame({"x": [1.4, 2.6], "at": [dt.date(2024, 1, 31), dt.date(2024, 2, 1)]})
    ladder = Ladder((1.0, 5.0), None, ("day", "month"))
    seen = [(one.cell, one.period) for one in ladder.versions(frame, ["x"], "at")]
    assert seen == [(1.0, "day"), (1.0, "month"), (5.0, "day"), (5.0, "month")]
    last = list(ladder.versions(frame, ["x"], "at"))[-1]
    assert last.columns[0].to_list() == [0.0, 5.0]
    assert last.columns[1].to_list() == [dt.date(2024, 1, 1), dt.date(2024, 2, 1)]


def test_a_hierarchy_is_climbed_below_its_top() -> None:
    frame = pl.DataFrame({"code": ["123", "124"]})
    found = list(Ladder((), Digits(), ()).versions(frame, ["code"], None))
    assert [one.level for one in found] == [0, 1, 2]
    assert found[1].columns[0].to_list() == ["12*", "12*"]


def test_whole_numbers_stay_whole_and_missing_stays_missing() -> None:
    assert on_grid(pl.Series([14, None, 16]), 10).to_list() == [10, None, 20]
    assert on_grid(pl.Series([0.12]), 0.1).to_list() == [0.1]


def test_text_has_no_grid() -> None:
    with pytest.raises(mv.InputError, match="lays a grid over numbers only"):
        on_grid(pl.Series("town", ["a"]), 1)
