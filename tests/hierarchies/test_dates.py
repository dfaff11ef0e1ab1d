"""Dates to months, quarters, seasons, years, decades."""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any, get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, HierarchyError, SpecError
from microveil.hierarchies import Dates
from microveil.hierarchies.dates import FOLLOWERS, Step


def labels(levels: list[str], values: list[Any], level: str, **other: Any) -> list[str]:
    series = pl.Series("d", values)
    built = Dates.parse({"levels": levels, **other}).build(series)
    return built.generalize(series, level).to_list()


@pytest.mark.parametrize(
    ("step", "label"),
    [
        ("weekday", "Monday"),
        ("week", "2021-W09"),
        ("month", "2021-03"),
        ("quarter", "2021-Q1"),
        ("year_season", "2021 Spring"),
        ("season", "Spring"),
        ("year", "2021"),
        ("five_years", "[2020, 2025)"),
        ("decade", "2020s"),
        ("twenty_years", "[2020, 2040)"),
        ("fifty_years", "[2000, 2050)"),
    ],
)
def test_each_level_has_its_label(step: str, label: str) -> None:
    assert labels(["day", step], [date(2021, 3, 1)], step) == [label]


def test_the_default_chain_goes_from_day_to_decade() -> None:
    built = Dates().build(pl.Series([date(1999, 11, 30)]))
    assert built.names == ("day", "month", "quarter", "year", "decade", "*")
    assert built.frame.row(0)[1:] == ("1999-11", "1999-Q4", "1999", "1990s", "*")


def test_seasons_are_whole_months_from_december() -> None:
    days = [date(2021, month, 15) for month in (12, 1, 2, 3, 5, 6, 8, 9, 11)]
    assert labels(["day", "season"], days, "season") == [
        *["Winter"] * 3, *["Spring"] * 2, *["Summer"] * 2, *["Autumn"] * 2,
    ]  # fmt: skip


def test_seasons_may_be_renamed() -> None:
    south = ["summer", "autumn", "winter", "spring"]
    assert labels(["season"], [date(2021, 1, 1)], "season", seasons=south) == ["summer"]


def test_december_counts_to_its_own_years_winter_or_to_the_next() -> None:
    christmas = [date(2021, 12, 24)]
    assert labels(["year_season"], christmas, "year_season") == ["2021 Winter"]
    following = labels(["year_season"], christmas, "year_season", december="next_year")
    assert following == ["2022 Winter"]


def test_seasons_with_the_year_nest_in_years_only_if_december_stays() -> None:
    chain = ["day", "month", "year_season", "year", "decade"]
    assert labels(chain, [date(2021, 12, 24)], "year") == ["2021"]
    with pytest.raises(SpecError, match="'year_season' does not nest in 'year'"):
        Dates.parse({"levels": chain, "december": "next_year"})


@pytest.mark.parametrize(
    "chain", [["season", "year"], ["week", "month"], ["year", "month"], ["weekday", "week"]]
)
def test_chains_that_do_not_nest_are_refused(chain: list[str]) -> None:
    with pytest.raises(SpecError, match=f"'{chain[0]}' does not nest in '{chain[1]}'"):
        Dates.parse({"levels": chain})


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(SpecError, match=r"levels\.0"):
        Dates.parse({"levels": ["fortnight"]})


def test_times_of_day_are_a_level_below_the_day() -> None:
    moment = datetime(2021, 3, 4, 5, 6)  # noqa: DTZ001  a column without zones
    built = Dates(levels=["day", "month"]).build(pl.Series([moment]))
    assert built.names == ("moment", "day", "month", "*")
    assert built.frame.row(0)[1:] == ("2021-03-04", "2021-03", "*")


def test_a_levels_number_counts_the_chain_with_and_without_times() -> None:
    spec = Dates(levels=["day", "month"])
    days = spec.build(pl.Series([date(2021, 3, 4)]))
    moments = spec.build(pl.Series([datetime(2021, 3, 4, 5)]))  # noqa: DTZ001
    for level, name in ((1, "month"), (2, "*")):
        assert days.names[spec.level_index(days, level)] == name
        assert moments.names[spec.level_index(moments, level)] == name
    assert spec.level_index(moments, 0) == 0


def test_zoned_moments_are_read_by_their_own_clock() -> None:
    series = pl.Series([datetime(2021, 12, 31, 23, tzinfo=UTC)]).dt.convert_time_zone("Asia/Tokyo")
    built = Dates(levels=["year"]).build(series)
    assert built.generalize(series, "year").to_list() == ["2022"]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("2021-03-04", {}),
        (" 2021-03-04", {}),
        ("2021-03-04T05:06:07.5", {}),
        ("2021-03-04 05:06", {}),
        ("04/03/2021", {"format": "%d/%m/%Y"}),
        ("04.03.2021 17:30", {"format": "%d.%m.%Y %H:%M"}),
    ],
)
def test_text_dates_are_read(text: str, other: dict[str, Any]) -> None:
    assert labels(["month"], [text], "month", **other) == ["2021-03"]


def test_text_that_is_no_date_is_left_out() -> None:
    built = Dates().build(pl.Series(["2021-03-04", "2021-02-30", "soon"]))
    assert built.values.to_list() == ["2021-03-04"]


def test_other_kinds_are_refused_by_column() -> None:
    with pytest.raises(ColumnError, match=r"needs dates, or text .* column 'd' holds Int64"):
        Dates().build(pl.Series("d", [2021]))


@given(st.data(), st.lists(st.dates(), min_size=1))
def test_every_chain_that_is_allowed_nests(data: st.DataObject, days: list[date]) -> None:
    chain = ["day"]
    while FOLLOWERS[chain[-1]]:
        chain.append(data.draw(st.sampled_from(sorted(FOLLOWERS[chain[-1]]))))
    built = Dates.parse({"levels": chain}).build(pl.Series(days))  # raises unless it nests
    assert all(fine >= coarse for fine, coarse in pairwise(built.n_labels))


def test_every_step_has_its_followers() -> None:
    assert set(FOLLOWERS) == set(get_args(Step))


def test_whole_numbers_are_dates_in_a_format() -> None:
    numbers = pl.Series([20200301, 20201231])
    built = Dates(levels=("day", "year"), format="%Y%m%d").build(numbers)
    assert built.frame.rows() == [(20200301, "2020", "*"), (20201231, "2020", "*")]
    floats = Dates(levels=("day", "year"), format="%d%m%Y").build(pl.Series([1032020.0, 1.5]))
    assert [row[1] for row in floats.frame.rows()] == ["2020"]


def test_dates_of_another_format_are_refused_instead_of_starred() -> None:
    with pytest.raises(HierarchyError, match=r"Column 'birth' holds dates written as %d/%m/%Y"):
        Dates().build(pl.Series("birth", ["31/12/1980", "01/02/1990"]))


def test_month_names_and_two_digit_years_are_read_by_their_format() -> None:
    spanish = Dates(levels=["day", "year"], format="%d %b %Y").build(pl.Series(["5 mayo 2020"]))
    assert spanish.frame.row(0)[1] == "2020"
    short = Dates(levels=["day", "year"], format="%d.%m.%y").build(pl.Series(["05.12.45"]))
    assert short.frame.row(0)[1] == "1945"
