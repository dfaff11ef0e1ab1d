from __future__ import annotations

from datetime import UTC, date, datetime

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.methods.parts.date_columns import add_days, date_frame


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_days_are_added_in_every_unit_of_time(unit: str) -> None:
    moment = datetime(2024, 2, 28, 5, tzinfo=UTC)
    column = pl.Series("x", [moment, None], dtype=pl.Datetime(unit, "UTC"))  # type: ignore[arg-type]
    moved = add_days(column, pl.Series([2, 3]))
    assert moved.dtype == column.dtype
    assert moved.to_list() == [datetime(2024, 3, 1, 5, tzinfo=UTC), None]


def test_nothing_is_shifted_by_nothing() -> None:
    assert add_days(pl.Series([None]), pl.Series([1])).to_list() == [None]


def test_dates_out_of_reach_are_counted_not_shown() -> None:
    column = pl.Series("d", [date(1899, 1, 1), date(2000, 1, 1), date(9999, 1, 1)])
    with pytest.raises(ColumnError, match="2 dates of column 'd' lie before 1900"):
        date_frame(column.to_frame(), ["d"], "step")
    assert date_frame(column.head(2).to_frame(), ["d"], "step", 1800).height == 2
