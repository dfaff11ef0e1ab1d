from __future__ import annotations

from datetime import date, datetime

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from microveil.tables.calendar_days import completed_years, days_of

DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))


@given(birth=DAYS, day=DAYS)
def test_an_age_is_the_number_of_birthdays(birth: date, day: date) -> None:
    if day < birth:
        return
    birthdays = sum(
        (y, birth.month, birth.day) <= (day.year, day.month, day.day)
        for y in range(birth.year + 1, day.year + 1)
    )
    assert completed_years(pl.Series([birth]), pl.Series([day])).to_list() == [birthdays]


def test_days_of_times_and_of_nothing() -> None:
    assert days_of(pl.Series([datetime(2024, 1, 1, 23)])).to_list() == [date(2024, 1, 1)]  # noqa: DTZ001
    assert days_of(pl.Series([None])).dtype == pl.Date
