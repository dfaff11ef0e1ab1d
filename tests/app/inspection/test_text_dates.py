from __future__ import annotations

import polars as pl
import pytest

from microveil.app.inspection.text_dates import date_format


@pytest.mark.parametrize(
    ("values", "how"),
    [
        (["31/12/1980", "01/02/1990"], "%d/%m/%Y"),
        (["12/31/1980", "01/02/1990"], "%m/%d/%Y"),
        (["01/02/1990", "03/04/1991"], "%d/%m/%Y"),
        (["31.12.80", "01.02.90"], "%d.%m.%y"),
        (["19801231", "19900201"], "%Y%m%d"),
        (["1980-12-31", "1990-02-01"], "%Y-%m-%d"),
        (["3 Jan 1980", "14 Dec 1990"], "%d %b %Y"),
        (["12345678", "99999999"], None),
        (["a", "b"], None),
        (["31/12/1980", "unknown"], None),
        ([], None),
    ],
)
def test_the_format_of_most_values_is_found(values: list[str], how: str | None) -> None:
    assert date_format(pl.Series(values, dtype=pl.String)) == how
