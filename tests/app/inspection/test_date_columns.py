"""Columns that hold dates but are no dates yet."""

from __future__ import annotations

from datetime import date, timedelta

import polars as pl

import microveil as mv
from microveil.app.inspection.date_columns import dates_in, doubts

DAYS = [date(1950, 1, 3) + timedelta(days=101 * n) for n in range(100)]
FRAME = pl.DataFrame(
    {
        "birth": [day.strftime("%d/%m/%Y") for day in DAYS],
        "admitted": [*(day.strftime("%d.%m.%y") for day in DAYS[1:]), "unknown"],
        "coded": [int(day.strftime("%Y%m%d")) for day in DAYS],
        "day": DAYS,
        "sex": ["f", "m"] * 50,
    }
)


def test_text_and_numbers_that_are_dates_are_found() -> None:
    assert list(dates_in(FRAME)) == ["birth", "admitted", "coded"]


def test_only_doubtful_columns_are_cautioned_about() -> None:
    told = list(doubts(dates_in(FRAME)))
    assert [one.columns for one in told] == [("admitted",)]
    assert "a: 1" in told[0].text
    assert "1 cells are no dates" in told[0].text


def test_an_inspection_proposes_the_reading_and_looks_at_dates() -> None:
    found = mv.inspect(FRAME)
    assert found.reading.to_dict() == {
        "birth": "%d/%m/%Y",
        "admitted": {"format": "%d.%m.%y", "unreadable": "missing"},
        "coded": "%Y%m%d",
    }
    assert found["birth"].dtype == "date"
    assert found.to_dict()["reading"] == found.reading.to_dict()
    assert mv.inspect(pl.DataFrame({"sex": ["f", "m"]})).to_dict()["dates"] == {}


def test_a_proposal_reads_dates_and_keeps_years_apart() -> None:
    release = mv.protect(FRAME.select("birth", "sex"), k=3)
    assert release.recipe.reading.to_dict() == {"birth": "%d/%m/%Y"}
    assert release.data["birth"].n_unique() > 2
    again = mv.run(mv.Recipe.from_yaml(release.recipe.to_yaml()), FRAME.select("birth", "sex"))
    assert again.data.equals(release.data)
