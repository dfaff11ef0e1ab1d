"""Codes for missing cells."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

import polars as pl
import pytest

from microveil.files.columns.missing_codes import codes_in, without_codes


@pytest.mark.parametrize(
    ("cells", "gone"),
    [
        ([170, 9999, None], [False, True, False]),
        ([170.5, 9999.0, None], [False, True, False]),
        (["170", " 9999 ", "9999.00", "na", "nab", None], [False, True, True, True, False, False]),
        ([True, False], [False, False]),
    ],
)
def test_a_code_is_found_however_it_is_written(cells: list[object], gone: list[bool]) -> None:
    assert codes_in(pl.Series(cells), (9999, "NA")).to_list() == gone


def test_cells_without_a_code_stay_as_they_are() -> None:
    column = pl.Series("height", [1, 2])
    assert without_codes(column, (9,)) is column
    assert without_codes(column, ()) is column


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (pl.Series([date(2020, 3, 1), date(9999, 12, 31)]), "9999-12-31"),
        (pl.Series([datetime(2020, 3, 1), datetime(1900, 1, 1)]), "1900-01-01"),  # noqa: DTZ001
        (pl.Series([datetime(2020, 3, 1), datetime(1900, 1, 1, 8)]), "1900-01-01T08:00:00"),  # noqa: DTZ001
        (pl.Series([time(1), time(0)]), "00:00:00"),
    ],
)
def test_dates_and_times_have_codes_too(column: pl.Series, code: str) -> None:
    assert codes_in(column, (code, 9)).to_list() == [False, True]


def test_a_duration_is_no_code() -> None:
    assert codes_in(pl.Series([timedelta(1), None]), (1, "1d")).to_list() == [False, False]
