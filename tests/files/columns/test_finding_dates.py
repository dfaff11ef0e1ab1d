"""How the dates of a column are written."""

from __future__ import annotations

from datetime import date, timedelta

import polars as pl
import pytest

from microveil.files.columns.finding_dates import FORMATS, find_dates, order_of

DAYS = [date(1955, 1, 1) + timedelta(days=97 * n) for n in range(200)]
DIGITS = [one for one in FORMATS if "%b" not in one.lower() and one != "%Y"]


@pytest.mark.parametrize("written", DIGITS)
def test_every_format_is_found_among_the_others(written: str) -> None:
    found = find_dates(pl.Series([day.strftime(written) for day in DAYS]))
    assert found is not None
    assert found.formats == (written,)
    assert (found.share, found.reading) == (1.0, written)


@pytest.mark.parametrize("written", ["%d/%m/%Y %H:%M", "%Y-%m-%dT%H:%M:%S", "%m/%d/%y %I:%M %p"])
def test_times_of_day_are_found(written: str) -> None:
    found = find_dates(pl.Series([day.strftime(written) for day in DAYS]))
    assert found is not None
    assert found.formats == (written.replace("%S", "%S%.f"),)


@pytest.mark.parametrize(
    "months",
    [
        "January February March April May June July August September October November December",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
        "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november dets",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    ],
)
def test_month_names_are_found_in_every_language(months: str) -> None:
    names = months.split()
    cells = pl.Series([f"{day.day} {names[day.month - 1]} {day.year}" for day in DAYS])
    found = find_dates(cells)
    assert found is not None
    assert found.share == 1.0


def test_whole_numbers_may_be_dates() -> None:
    found = find_dates(pl.Series([int(day.strftime("%Y%m%d")) for day in DAYS]))
    assert found is not None
    assert found.formats == ("%Y%m%d",)


def test_an_order_that_no_cell_shows_is_said_to_be_assumed() -> None:
    found = find_dates(pl.Series(["01/02/2000", "03/04/2001"]))
    assert found is not None
    assert (found.formats, found.ambiguous) == (("%d/%m/%Y",), True)
    assert "the day is assumed" in found.sentence()


def test_the_evidence_for_an_order_is_counted() -> None:
    found = find_dates(pl.Series(["01/02/2000", "01/31/2001", "02/28/2001"]))
    assert found is not None
    assert (found.formats, found.n_telling, found.ambiguous) == (("%m/%d/%Y",), 2, False)


def test_both_orders_in_one_column_are_told() -> None:
    cells = [day.strftime("%d/%m/%Y") for day in DAYS] + ["01/31/2001", "02/28/2001"]
    found = find_dates(pl.Series(cells))
    assert found is not None
    assert (found.formats, found.n_contrary) == (("%d/%m/%Y",), 2)
    assert "both orders are mixed" in found.sentence()


def test_dirt_is_counted_by_pattern_and_made_missing() -> None:
    cells = [day.strftime("%d/%m/%Y") for day in DAYS] + ["n/a", "secret"]
    found = find_dates(pl.Series(cells))
    assert found is not None
    assert found.n_cells - found.n_read == 2
    assert found.reading == {"format": "%d/%m/%Y", "unreadable": "missing"}
    assert "dd/mm/yyyy: 200; a/a: 1; a: 1" in found.sentence()
    assert "secret" not in found.sentence()


def test_mixed_and_partial_dates_are_found_together() -> None:
    cells = [day.strftime("%d/%m/%Y") for day in DAYS] + ["03/1980"] * 3 + ["1980-01-31"] * 2
    found = find_dates(pl.Series(cells))
    assert found is not None
    assert set(found.formats) == {"%d/%m/%Y", "%m/%Y", "%Y-%m-%d"}
    assert found.share == 1.0
    assert "first day" in found.sentence()


@pytest.mark.parametrize(
    "cells",
    [
        ["AB-12-34", "CD-56-78"],
        ["600 12 34 56", "600 98 76 54"],
        ["192.168.1.1", "10.0.0.1"],
        ["08001", "08002"],
        ["12:30", "14:15"],
        ["1980", "1990"],
        ["2.5", "3.14"],
        ["53913183", "72367605"],
        [53913183, 72367605],
        [1980, 1990],
        [1.5, 2.5],
        [None, None],
        [],
    ],
)
def test_what_is_no_date_is_left_alone(cells: list[object]) -> None:
    assert find_dates(pl.Series(cells)) is None


def test_the_order_of_a_format_is_known() -> None:
    assert [order_of(one) for one in ("%d/%m/%Y", "%b %d %Y", "%Y-%m-%d")] == ["dmy", "mdy", "ymd"]
