"""Frames that every method must cope with."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import polars as pl
import pytest

KINDS: dict[str, pl.Series] = {
    "int8": pl.Series([1, 2, None, 2, 1, 2], dtype=pl.Int8),
    "int64": pl.Series([10, 20, None, 20, 10, 20]),
    "uint64": pl.Series([1, 2, None, 2, 1, 2], dtype=pl.UInt64),
    "float32": pl.Series([1.5, 2.5, None, 2.5, 1.5, 2.5], dtype=pl.Float32),
    "float64": pl.Series([1.5, 2.5, None, 2.5, 1.5, 2.5]),
    "decimal": pl.Series([Decimal("1.50"), Decimal("2.50"), None, Decimal("2.50")] + [None] * 2),
    "string": pl.Series(["a", "b", None, "b", "a", "b"]),
    "categorical": pl.Series(["a", "b", None, "b", "a", "b"], dtype=pl.Categorical()),
    "enum": pl.Series(["a", "b", None, "b", "a", "b"], dtype=pl.Enum(["b", "a", "c"])),
    "boolean": pl.Series([True, False, None, False, True, False]),
    "date": pl.Series([date(2024, 1, 1), date(2024, 1, 5), None, date(2024, 1, 5)] + [None] * 2),
    "datetime": pl.Series([datetime(2024, 1, 1, 8), None, datetime(2024, 1, 5)] + [None] * 3),  # noqa: DTZ001  naive on purpose
    "zoned": pl.Series([datetime(2024, 1, 1, 8, tzinfo=UTC), None] + [None] * 4),
    "time": pl.Series([time(8, 30), time(9), None, time(9), None, None]),
    "duration": pl.Series([timedelta(seconds=90), timedelta(0), None] + [None] * 3),
    "null": pl.Series([None] * 6, dtype=pl.Null),
}
"""A short column of each kind, with gaps; six records each."""


@pytest.fixture(params=list(KINDS))
def any_column(request: pytest.FixtureRequest) -> pl.Series:
    """One column of each kind in turn, named ``x``."""
    return KINDS[request.param].alias("x")


@pytest.fixture(params=[name for name, kind in KINDS.items() if kind.dtype.is_numeric()])
def any_number(request: pytest.FixtureRequest) -> pl.Series:
    """One column of each numeric kind in turn, named ``x``."""
    return KINDS[request.param].alias("x")


@pytest.fixture(
    params=[
        name for name, kind in KINDS.items() if kind.dtype.is_numeric() or kind.dtype.is_temporal()
    ]
)
def any_ordered(request: pytest.FixtureRequest) -> pl.Series:
    """One column of each kind that has an order in turn, named ``x``."""
    return KINDS[request.param].alias("x")


@pytest.fixture
def nested() -> pl.DataFrame:
    """A frame whose column ``x`` holds lists."""
    return pl.DataFrame({"x": [[1, 2], [3]], "y": [1, 2]})
