from __future__ import annotations

import datetime as dt
from typing import Any

import polars as pl
import pytest

from microveil.files.columns.cell_content import tells_date

DAY = dt.date(2020, 3, 1)
FORMS = [
    "2020-03-01", "1.3.2020", "01/03/2020", "3/1/2020", "1.3.20", "2020/03/01", "20200301",
    "2020-03", "03/2020", "2020-Q1", "Q1 2020", "2020-W09", "1 March 2020", "March 1, 2020",
    "1. März 2020", "1 mars 2020", "1 de marzo de 2020", "1 марта 2020", "01MAR2020", "Mar-2020",
    "2020-03-01T10:00:00", "seen on 1.3.2020 again", "[2020-03-01, 2020-06-30]", "1st of March",
    "01/Mar/2020", "31122019",
]  # fmt: skip
OTHERS = [
    "2020", "2020s", "[2010, 2020)", "*", "C34.1", "12.5", "1.2.3", "10-12", "123-45", "A2020",
    "marked", "decade", "mayor", "2020****", "", "no date", "1,200.50", "90+",
]  # fmt: skip


@pytest.mark.parametrize("cell", FORMS)
def test_a_date_is_told_by_its_form_however_few_there_are(cell: str) -> None:
    assert tells_date(pl.Series([cell, None])).to_list() == [True, False]
    assert tells_date(pl.Series([cell] * 3, dtype=pl.Categorical)).all()


@pytest.mark.parametrize("cell", OTHERS)
def test_what_is_no_date_is_not_taken_for_one(cell: str) -> None:
    assert not tells_date(pl.Series([cell])).any()


@pytest.mark.parametrize(
    ("cells", "dated"),
    [
        ([DAY, None], [True, False]),
        ([dt.datetime(2020, 3, 1, tzinfo=dt.UTC)], [True]),
        ([20200301, None, 20191231], [True, False, True]),
        ([20200301.0], [True]),
        ([1032020, 31122019], [True, True]),
        ([20200301, 20201301], [False, False]),
        ([2020, 1999], [False, False]),
        ([1, 2, 3], [False] * 3),
        ([True, False], [False, False]),
        ([], []),
    ],
)
def test_columns_of_other_types_are_judged_as_a_whole(cells: list[Any], dated: list[bool]) -> None:
    assert tells_date(pl.Series(cells)).to_list() == dated
