from __future__ import annotations

import datetime as dt

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.methods.parts.limits import limit_series, upside_down


@pytest.mark.parametrize(
    ("limit", "dtype", "value", "found"),
    [
        (90, pl.Int8(), 90, pl.Int8()),
        (300, pl.Int8(), 300, pl.Int64()),
        (1.5, pl.Int8(), 1.5, pl.Float64()),
        (90, pl.Float32(), 90.0, pl.Float32()),
        ("2024-01-31", pl.Date(), dt.date(2024, 1, 31), pl.Date()),
        ("12:30", pl.Time(), dt.time(12, 30), pl.Time()),
        (60, pl.Duration("ms"), dt.timedelta(minutes=1), pl.Duration("ms")),
    ],
)
def test_a_limit_takes_the_type_of_the_column_or_a_wider_one(
    limit: float | str, dtype: pl.DataType, value: object, found: pl.DataType
) -> None:
    series = limit_series(limit, dtype, "x")
    assert series.to_list() == [value]
    assert series.dtype == found


@pytest.mark.parametrize(
    ("limit", "dtype", "wanted"),
    [
        ("2024-01-31", pl.Int64(), "a number"),
        (5, pl.Date(), "an ISO date"),
        ("2024-01-31T00:00:00+02:00", pl.Datetime(), "with an offset only if"),
        ("12:30", pl.Duration(), "a number of seconds"),
    ],
)
def test_a_limit_of_another_kind_is_told_what_is_wanted(
    limit: float | str, dtype: pl.DataType, wanted: str
) -> None:
    with pytest.raises(ColumnError, match=f"column 'x'.*{wanted}"):
        limit_series(limit, dtype, "x")


def test_a_bottom_above_the_top_is_seen_where_it_is_clear() -> None:
    assert upside_down(5, 3)
    assert not upside_down(3, 5)
    assert upside_down("2024-02-01", "2024-01-01")
    assert not upside_down("2024-02-01", 3)
    assert not upside_down("2024-02-01T00:00:00+02:00", "2024-01-01")
