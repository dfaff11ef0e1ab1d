from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

import microveil as mv
from microveil.risk.paths.points import Points, begin_of_period, rank_codes, require_time

ROLES = mv.Roles(entity="who")


def visits() -> mv.Table:
    frame = {"who": [1, 1, 2, 2], "place": [8, 7, 7, None], "at": [1, 2, 1, 3]}
    return mv.Table(pl.DataFrame(frame), ROLES)


def test_a_row_without_a_place_is_no_point() -> None:
    assert Points.of(visits(), ["place"], "at", "measure").row.tolist() == [0, 1, 2]


def test_paths_are_sorted_by_place_unless_their_order_is_known() -> None:
    points = Points.of(visits(), ["place"], "at", "measure")
    assert points.path("locations").index.items.tolist() == [0, 1, 0]
    assert points.path("sequence").index.items.tolist() == [1, 0, 0]


def test_repeats_count_only_where_they_are_known() -> None:
    table = mv.Table(pl.DataFrame({"who": [1, 1, 2], "place": ["a", "a", "a"]}), ROLES)
    points = Points.of(table, ["place"], None, "measure")
    assert points.path("unique_locations").index.offsets.tolist() == [0, 1, 2]
    assert points.path("locations").index.offsets.tolist() == [0, 2, 3]
    assert points.path("frequency").index.items.tolist() == [1, 0]
    assert points.path("probability").index.items.tolist() == [0, 0]


def test_a_list_is_a_path_in_its_own_order() -> None:
    table = mv.Table(pl.DataFrame({"codes": [[8, 7], [7], None, []]}), mv.Roles())
    points = Points.of(table, ["codes"], None, "measure")
    assert points.path("sequence").index.items.tolist() == [1, 0, 0]
    assert points.path("sequence").index.offsets.tolist() == [0, 2, 3, 3, 3]


def test_rows_that_nobody_can_link_are_paths_of_one_point() -> None:
    table = visits().with_columns([pl.Series("who", [7, 8, 9, 10])])
    offsets = Points.of(table, ["place"], "at", "measure").path("locations").index.offsets
    assert offsets.tolist() == [0, 1, 2, 3, 3]


def test_times_are_known_to_a_period() -> None:
    times = pl.Series([dt.datetime(2024, 5, 17, 11, 59)])  # noqa: DTZ001  local times
    assert begin_of_period(times, "hour")[0] == dt.datetime(2024, 5, 17, 11)  # noqa: DTZ001  likewise
    assert begin_of_period(pl.Series([dt.date(2024, 5, 17)]), "hour")[0] == dt.date(2024, 5, 17)
    assert begin_of_period(pl.Series(["2024-05"]), "year")[0] == "2024-05"


def test_a_missing_time_comes_last() -> None:
    assert rank_codes(pl.Series([5, None, 3])).values.tolist() == [2, 3, 1]


def test_who_knows_an_order_needs_one() -> None:
    require_time("sequence", None, listed=True)
    with pytest.raises(mv.InputError, match="name the column of `time`"):
        require_time("sequence", None, listed=False)
    with pytest.raises(mv.InputError, match="name the column of `time`"):
        require_time("time", None, listed=True)
