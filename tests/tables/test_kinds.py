from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import ColumnError
from microveil.tables import Classes, LazyTable, Roles, Table
from microveil.tables.kinds import (
    check_weight,
    finite_numbers,
    has_order,
    is_number,
    numbers_of,
    refuse_infinite,
    refuse_odd_weights,
    refuse_unwritable,
)


@pytest.mark.parametrize(
    ("dtype", "number", "order"),
    [
        (pl.Int8(), True, True),
        (pl.Decimal(10, 2), True, True),
        (pl.Date(), True, True),
        (pl.Duration(), True, True),
        (pl.Boolean(), False, True),
        (pl.Enum(["a"]), False, True),
        (pl.Categorical(), False, False),
        (pl.String(), False, False),
    ],
)
def test_what_is_a_number_and_what_has_an_order(
    dtype: pl.DataType,
    number: bool,  # noqa: FBT001  a case
    order: bool,  # noqa: FBT001  a case
) -> None:
    assert (is_number(dtype), has_order(dtype)) == (number, order)


def test_decimals_and_days_are_numbers() -> None:
    assert numbers_of(pl.Series([Decimal("1.50"), None]))[0] == 1.5
    assert numbers_of(pl.Series([dt.date(1970, 1, 3)])).tolist() == [2.0]


def test_numbers_that_cannot_be_squared_are_missing() -> None:
    found = finite_numbers(pl.Series([1.0, -1e151, float("-inf"), None]))
    assert found[0] == 1
    assert pl.Series(found[1:]).is_nan().all()


def test_infinite_numbers_and_far_dates_are_counted_and_not_quoted() -> None:
    refuse_infinite(pl.Series("x", [1.0, None]))
    refuse_infinite(pl.Series("x", ["inf"]))
    with pytest.raises(ColumnError, match="2 values of column 'x'"):
        refuse_infinite(pl.Series("x", [1.0, float("inf"), float("nan")]))
    refuse_unwritable(pl.Series("d", [dt.date(9999, 12, 31)]))
    with pytest.raises(ColumnError, match="1 dates in column 'd'"):
        refuse_unwritable(pl.Series("d", [0, 2_000_000_000]).cast(pl.Int32).cast(pl.Date))


def test_a_weight_is_a_number_for_everybody() -> None:
    check_weight(pl.Series("w", [1, 2]), 0)
    for weight, n_missing in ((pl.Series("w", ["1"]), 0), (pl.Series("w", [1, None]), 1)):
        with pytest.raises(ColumnError, match="'w' must be numeric"):
            check_weight(weight, n_missing)


@pytest.mark.parametrize("key", [1, "text"])
def test_a_weight_is_not_negative_however_classes_are_counted(key: object, tmp_path: Path) -> None:
    frame = pl.DataFrame({"key": [key, key], "w": [2.0, -1.0]})
    roles = Roles(quasi_identifiers=["key"], weight="w")
    frame.write_parquet(tmp_path / "t.parquet")
    for table in (Table(frame, roles), LazyTable(pl.scan_parquet(tmp_path / "t.parquet"), roles)):
        with pytest.raises(ColumnError, match="negative"):
            _ = Classes.of(table).weights
    check_weight(pl.Series("w", [0.0, 1.0]), 0)


def test_weights_are_numbers_and_not_negative() -> None:
    for cells in ([1, 2], [0.5, None], [None, None]):
        refuse_odd_weights(pl.LazyFrame({"w": cells}), "w")
    with pytest.raises(ColumnError, match="'w' does not hold numbers"):
        refuse_odd_weights(pl.LazyFrame({"w": ["1", "x"]}), "w")
    with pytest.raises(ColumnError, match="2 weights in column 'w' are negative"):
        refuse_odd_weights(pl.LazyFrame({"w": [-1, 2, -3]}), "w")
