"""Dates read by a format."""

from __future__ import annotations

from datetime import UTC, date, datetime

import polars as pl
import pytest

from microveil.errors import FileError
from microveil.files.columns.date_formats import check_format, is_partial, read_dates, type_of

DAY = date(1980, 12, 5)
WRITTEN = {
    "%d/%m/%Y": "05/12/1980",
    "%m/%d/%Y": "12/05/1980",
    "%d.%m.%y": "5.12.80",
    "%Y-%m-%d": "1980-12-05",
    "%F": "1980-12-05",
    "%Y%m%d": "19801205",
    "%d %B %Y": "5 December 1980",
    "%d de %B de %Y": "5 de diciembre de 1980",
    "%d d'%B de %Y": "5 d’desembre de 1980",
    "%d. %b %Y": "5. dets. 1980",
    "%d %b %Y г.": "5 декабря 1980 г.",
    "%d%b%Y": "05DEC1980",
    "%B %d, %Y": "dec 5, 1980",
}


def read(written: str, *cells: str | None, pivot: int = 29) -> list[object]:
    frame = pl.DataFrame({"cell": list(cells)}, schema={"cell": pl.String})
    return frame.select(cell=read_dates(pl.col("cell"), written, pivot))["cell"].to_list()


@pytest.mark.parametrize("written", WRITTEN)
def test_a_day_is_read_as_it_is_written(written: str) -> None:
    assert read(written, WRITTEN[written], f" {WRITTEN[written]} ", None) == [DAY, DAY, None]


@pytest.mark.parametrize(
    ("written", "cell"),
    [
        ("%d/%m/%Y", "31/02/1980"),
        ("%d/%m/%Y", "05/12/80"),
        ("%d/%m/%Y", "12/31/1980"),
        ("%d/%m/%Y", "05/12/1980 extra"),
        ("%d/%m/%y", "05/12/1980"),
        ("%Y%m%d", "1980125"),
        ("%d %b %Y", "5 Foo 1980"),
        ("%H:%M %d/%m/%Y", "25:00 05/12/1980"),
        ("%I:%M %p %d/%m/%Y", "13:00 pm 05/12/1980"),
    ],
)
def test_what_is_not_in_the_format_is_no_date(written: str, cell: str) -> None:
    assert read(written, cell) == [None]


def test_two_digit_years_turn_at_the_pivot() -> None:
    assert read("%d/%m/%y", "01/01/29", "01/01/30") == [date(2029, 1, 1), date(1930, 1, 1)]
    assert read("%d/%m/%y", "01/01/29", pivot=20) == [date(1929, 1, 1)]


def test_a_month_or_a_year_stands_for_its_first_day() -> None:
    assert read("%m/%Y", "12/1980") == [date(1980, 12, 1)]
    assert read("%Y", "1980") == [date(1980, 1, 1)]
    assert is_partial("%Y")
    assert not is_partial("%F")


def test_times_and_zones_are_read() -> None:
    assert read("%d/%m/%Y %H:%M", "05/12/1980 7:30") == [datetime(1980, 12, 5, 7, 30)]  # noqa: DTZ001
    assert read("%m/%d/%Y %I:%M %p", "12/05/1980 12:30 AM") == [datetime(1980, 12, 5, 0, 30)]  # noqa: DTZ001
    cells = ("1980-12-05T03:04:05.5+02:00", "1980-12-05T01:04:05Z", "1980-12-04T21:34:05-0330")
    assert read("%Y-%m-%dT%H:%M:%S%.f%z", *cells) == [
        datetime(1980, 12, 5, 1, 4, 5, 500_000, tzinfo=UTC),
        *[datetime(1980, 12, 5, 1, 4, 5, tzinfo=UTC)] * 2,
    ]
    assert [type_of(one) for one in ("%F", "%F %T", "%F %T%z")] == ["date", "datetime", "instant"]


@pytest.mark.parametrize("written", ["%d/%m", "%q %Y", "%d/%Y", "%Y %y", "%Y %m %b", "%Y %I:%M"])
def test_a_format_that_is_no_date_is_refused(written: str) -> None:
    with pytest.raises(FileError):
        check_format(written)
