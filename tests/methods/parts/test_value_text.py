from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Literal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.methods.parts.value_text import value_text

INTEGERS = [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt64, pl.Int128]


@pytest.mark.parametrize(
    "five",
    [
        *(pl.Series([5], dtype=kind) for kind in INTEGERS),
        pl.Series([5.0], dtype=pl.Float32),
        pl.Series([5.0]),
        pl.Series([Decimal("5.00")]),
        pl.Series([Decimal(5)]),
        pl.Series(["5"]),
        pl.Series(["5"], dtype=pl.Categorical()),
        pl.Series(["5"], dtype=pl.Enum(["5"])),
    ],
)
def test_five_is_five_in_every_type(five: pl.Series) -> None:
    assert value_text(five).to_list() == ["5"]


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (pl.Series([-0.0]), "0"),
        (pl.Series([0.1], dtype=pl.Float32), "0.1"),
        (pl.Series([1e20]), "100000000000000000000"),
        (pl.Series([float("inf")]), "inf"),
        (pl.Series([Decimal("10.50")]), "10.5"),
        (pl.Series([Decimal(100)]), "100"),
        (pl.Series([True]), "true"),
        (pl.Series([date(2024, 1, 31)]), "2024-01-31"),
        (pl.Series([datetime(2024, 1, 31)]), "2024-01-31"),  # noqa: DTZ001  naive on purpose
        (pl.Series([datetime(2024, 1, 31, 12, 30)]), "2024-01-31T12:30:00"),  # noqa: DTZ001
        (pl.Series([datetime(2024, 1, 31, tzinfo=UTC)]), "2024-01-31T00:00:00Z"),
        (pl.Series([timedelta(seconds=90)]), "PT1M30S"),
        (pl.Series([b"\x01\xff"]), "01ff"),
    ],
)
def test_each_kind_has_one_spelling(values: pl.Series, text: str) -> None:
    assert value_text(values).to_list() == [text]


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
def test_the_unit_of_a_moment_does_not_show(unit: Literal["ms", "us", "ns"]) -> None:
    moment = pl.Series([datetime(2024, 1, 31, 8, 0, 0, 500_000)])  # noqa: DTZ001  naive on purpose
    assert value_text(moment.dt.cast_time_unit(unit)).to_list() == ["2024-01-31T08:00:00.500"]


def test_missing_stays_missing_in_every_kind(any_column: pl.Series) -> None:
    text = value_text(any_column)
    assert text.dtype == pl.String
    assert text.name == "x"
    assert text.is_null().equals(any_column.is_null())


@given(st.lists(st.floats(allow_nan=False), min_size=1))
def test_different_floats_have_different_texts(values: list[float]) -> None:
    series = pl.Series(values, dtype=pl.Float64) + 0.0  # -0.0 and 0.0 are equal
    assert value_text(series).n_unique() == series.n_unique()


@given(st.lists(st.decimals(places=2, min_value=-1000, max_value=1000), min_size=1))
def test_different_decimals_have_different_texts(values: list[Decimal]) -> None:
    series = pl.Series(values)
    assert value_text(series).n_unique() == len({float(value) for value in values})
