"""A frame with every type, and its facts in files."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import polars as pl
import pytest


@pytest.fixture
def every_type() -> pl.DataFrame:
    moments = [dt.datetime(2020, 1, 1, 1, 2, 3, 500_000), None, dt.datetime(1999, 12, 31)]  # noqa: DTZ001 - files hold times without zones too
    return pl.DataFrame(
        {
            "whole": [1, None, -3],
            "small": pl.Series([1, None, 3], dtype=pl.Int8),
            "real": [1.5, None, -2.25],
            "text": ["a", None, 'x"y\n,;\t|'],
            "postcode": ["01234", "99999", None],
            "truth": [True, None, False],
            "category": pl.Series(["x", "y", None], dtype=pl.Categorical),
            "enum": pl.Series(["x", "y", None], dtype=pl.Enum(["x", "y"])),
            "day": [dt.date(2020, 1, 1), None, dt.date(1950, 1, 2)],
            "moment": moments,
            "instant": pl.Series(moments).dt.replace_time_zone("UTC"),
            "span": pl.Series([1_000_000, None, 5_400_000_000], dtype=pl.Duration("us")),
            "money": pl.Series([Decimal("1.50"), None, Decimal(2)], dtype=pl.Decimal(10, 2)),
            "clock": [dt.time(1, 2, 3), None, dt.time(0)],
            "nothing": pl.Series([None] * 3, dtype=pl.String),
        }
    )
