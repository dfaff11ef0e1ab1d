from __future__ import annotations

from datetime import date, datetime, timedelta

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.methods.relative_dates import RelativeDates

DAYS = st.dates(date(1950, 1, 1), date(2030, 12, 31))


def example(column: str) -> RelativeDates:
    return RelativeDates(columns=(column,))


@settings(deadline=None)
@given(rows=st.lists(st.tuples(st.integers(1, 4), DAYS, st.none() | DAYS), min_size=1, max_size=20))
def test_days_since_the_first_are_those_of_the_calendar(
    rows: list[tuple[int, date, date | None]],
) -> None:
    frame = pl.DataFrame(rows, schema={"pid": pl.Int64, "a": pl.Date, "b": pl.Date}, orient="row")
    after = RelativeDates(columns=["a", "b"], per="pid").protect(frame)
    first = {
        person: min(day for who, *days in rows if who == person for day in days if day is not None)
        for person, *_ in rows
    }
    for name, days in (("a", [row[1] for row in rows]), ("b", [row[2] for row in rows])):
        wanted = [
            None if day is None else (day - first[row[0]]).days
            for row, day in zip(rows, days, strict=True)
        ]
        assert after[name].to_list() == wanted


def test_since_a_column_earlier_is_negative_and_missing_stays_missing() -> None:
    frame = pl.DataFrame(
        {
            "in": [date(2024, 2, 28), date(2024, 3, 1), None],
            "out": [date(2024, 3, 1), date(2024, 2, 28), date(2024, 1, 1)],
        }
    )
    assert RelativeDates(columns="out", since="in").protect(frame)["out"].to_list() == [2, -2, None]
    weeks = RelativeDates(columns="out", since="in", unit="weeks").protect(frame)["out"]
    assert weeks.to_list() == [0, -1, None]


def test_the_entity_of_the_roles_is_the_person() -> None:
    frame = pl.DataFrame(
        {"pid": [1, 1, 2], "d": [date(2020, 1, 5), date(2020, 1, 1), date(2021, 1, 1)]}
    )
    step = RelativeDates(columns="d")
    assert step.protect(frame, mv.Roles(entity="pid"))["d"].to_list() == [4, 0, 0]
    assert step.protect(frame)["d"].to_list() == [0, 0, 0]


def test_times_count_by_calendar_days() -> None:
    frame = pl.DataFrame({"a": [datetime(2020, 1, 1, 23)], "b": [datetime(2020, 1, 2, 1)]})  # noqa: DTZ001
    assert RelativeDates(columns="b", since="a").protect(frame)["b"].to_list() == [1]


@pytest.mark.parametrize("unit", ["days", "weeks", "years"])
def test_ages_above_89_are_one_number_above_all_others(unit: str) -> None:
    birth = date(1920, 2, 29)
    days = [birth + timedelta(days=n) for n in range(32_860, 33_500)]
    frame = pl.DataFrame({"birth": [birth] * len(days), "seen": days})
    step = RelativeDates.parse({"columns": "seen", "since": "birth", "unit": unit})
    after = step.protect(frame)["seen"]
    last = max(day for day in days if day < date(2010, 3, 1))
    young = after.filter(frame["seen"] <= last)
    old = after.filter(frame["seen"] > last)
    assert old.n_unique() == 1
    assert old[0] > young.max()
    assert RelativeDates(columns="seen", since="birth", oldest=None).protect(frame)[
        "seen"
    ].n_unique() == len(days)


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ({"d": [1]}, "needs dates"),
        ({"d": [date(1800, 1, 1)]}, "before 1900"),
        ({"d": [date(2000, 1, 1)], "since": ["x"]}, "needs dates"),
    ],
)
def test_what_is_no_date_is_refused(frame: dict[str, list[object]], says: str) -> None:
    step = RelativeDates(columns="d", since="since" if "since" in frame else "first")
    with pytest.raises(mv.InputError, match=says):
        step.protect(frame)


def test_an_unknown_date_to_count_from_is_named() -> None:
    with pytest.raises(mv.InputError, match="No column 'admission'"):
        RelativeDates(columns="d", since="admission").protect({"d": [date(2020, 1, 1)]})
