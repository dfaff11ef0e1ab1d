from datetime import date, datetime
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.synthesis import Mst
from microveil.synthesis.private.coding import coded_columns, encode_declared
from microveil.synthesis.private.domain import check_domain

YEAR = {"low": "2020-01-01", "high": "2020-01-05"}
RNG = np.random.default_rng(0)


def _domain(**columns: Any) -> Any:
    return Mst(epsilon=1, domain=columns).domain


def _round_trip(series: pl.Series, declared: Any) -> tuple[list[int], pl.Series]:
    frame = series.to_frame()
    columns = coded_columns(frame, _domain(**{series.name: declared}))
    codes = encode_declared(frame, columns)
    return codes[0].tolist(), columns[0].decode(codes[0], RNG)


@pytest.mark.parametrize(
    ("values", "dtype", "declared", "codes"),
    [
        (["a", "b", "a"], pl.String, ["b", "a"], [1, 0, 1]),
        ([True, False, True], pl.Boolean, [False, True], [1, 0, 1]),
        ([3, 5, 4], pl.Int64, {"low": 3, "high": 5}, [0, 2, 1]),
        ([0, 84, 3], pl.Int16, 85, [0, 84, 3]),
        ([3, 5, 4], pl.UInt8, [5, 4, 3], [2, 0, 1]),
        ([date(2020, 1, 1), date(2020, 1, 3)], pl.Date, YEAR, [0, 2]),
        (["x", "y"], pl.Enum(["x", "y"]), ["y", "x"], [1, 0]),
        (["x", "y"], pl.Categorical, ["y", "x"], [1, 0]),
    ],
)  # fmt: skip
def test_declared_values_come_back(values: Any, dtype: Any, declared: Any, codes: Any) -> None:
    series = pl.Series("column", values, dtype=dtype)
    found, back = _round_trip(series, declared)
    assert found == codes
    assert back.dtype == series.dtype
    assert back.to_list() == series.to_list()


def test_missing_is_a_value_where_it_is_declared_and_left_out_elsewhere() -> None:
    series = pl.Series("column", [1.5, None, float("nan"), 3.0])
    found, back = _round_trip(series, {"low": 0, "high": 4, "bins": 4, "missing": True})
    assert found == [1, 4, 4, 3]
    assert back.is_null().to_list() == [False, True, True, False]
    assert _round_trip(series, {"low": 0, "high": 4, "bins": 4})[0] == [1, 3]
    texts = pl.Series("column", ["a", None, "z"])
    assert _round_trip(texts, {"values": ["a"], "missing": True})[0] == [0, 1]


def test_numbers_beyond_the_range_count_as_its_ends() -> None:
    series = pl.Series("column", [-1e300, float("-inf"), 5.0, float("inf")])
    assert _round_trip(series, {"low": 0, "high": 10, "bins": 2})[0] == [0, 0, 1, 1]
    whole = pl.Series("column", [-(2**62), 2**62, 7])
    assert _round_trip(whole, {"low": 0, "high": 9})[0] == [0, 9, 7]


def test_moments_and_decimals_keep_their_types() -> None:
    moments = pl.Series("column", [datetime(2020, 1, 1), datetime(2020, 12, 31)])  # noqa: DTZ001
    codes, back = _round_trip(moments, {"low": "2020-01-01", "high": "2020-12-31", "bins": 12})
    assert codes == [0, 11]
    assert back.dtype == moments.dtype
    money = pl.Series("column", [Decimal("1.25"), Decimal("9.75")], dtype=pl.Decimal(10, 2))
    codes, back = _round_trip(money, {"low": 0, "high": 10, "bins": 10})
    assert codes == [1, 9]
    assert back.dtype == money.dtype


@given(
    st.integers(-50, 50), st.integers(0, 400), st.integers(1, 60), st.lists(st.integers(-100, 500))
)
def test_a_drawn_number_lies_in_the_interval_of_its_code(
    low: int, length: int, bins: int, values: list[int]
) -> None:
    frame = pl.DataFrame({"column": pl.Series(values, dtype=pl.Int64)})
    columns = coded_columns(frame, _domain(column={"low": low, "high": low + length, "bins": bins}))
    codes = encode_declared(frame, columns)[0]
    drawn = columns[0].decode(codes, np.random.default_rng(1))
    again = columns[0].encode(drawn)
    assert again.tolist() == codes.tolist()
    assert codes.max(initial=0) < columns[0].size


def test_every_code_of_a_range_can_be_drawn() -> None:
    frame = pl.DataFrame({"column": pl.Series([0.5], dtype=pl.Float64)})
    for declared in ({"low": 0, "high": 1, "bins": 7}, {"low": 0, "high": 1, "decimals": 1}):
        column = coded_columns(frame, _domain(column=declared))[0]
        codes = np.repeat(np.arange(column.size, dtype=np.int32), 20)
        assert column.encode(column.decode(codes, RNG)).tolist() == codes.tolist()


@pytest.mark.parametrize(
    ("series", "declared", "word"),
    [
        (pl.Series("column", ["a"]), {"low": 0, "high": 1}, "neither numbers nor"),
        (pl.Series("column", [1]), ["a", "b"], "not of its type"),
        (pl.Series("column", ["a"]), ["a", "a"], "must be distinct and not missing"),
        (pl.Series("column", [1]), {"low": 5, "high": 1}, "`low` above `high`"),
        (pl.Series("column", [1]), {"low": "2020-01-01", "high": "2021-01-01"}, "does not fit"),
        (pl.Series("column", [date(2020, 1, 1)]), {"low": 1, "high": 2}, "does not fit"),
        (pl.Series("column", [1], dtype=pl.UInt8), {"low": -5, "high": 900}, "does not fit"),
        (pl.Series("column", [1.5]), {"low": 0, "high": 1, "bins": 10**7}, "the limit is"),
    ],
)
def test_a_declaration_that_does_not_fit_is_refused_in_one_sentence(
    series: pl.Series, declared: Any, word: str
) -> None:
    with pytest.raises(ColumnError, match=word) as raised:
        coded_columns(series.to_frame(), _domain(column=declared))
    assert "'column'" in str(raised.value)


def test_undeclared_columns_are_named_with_how_to_declare_them() -> None:
    with pytest.raises(InputError, match=r"there is none for zip\. Declare what each column may"):
        check_domain(_domain(age=100), ["age", "zip"], "mst")
    with pytest.raises(InputError, match="Did you mean 'age'"):
        check_domain(_domain(agee=100, age=100), ["age"], "mst")


def test_a_domain_survives_files() -> None:
    spec = Mst(
        epsilon=1,
        domain={
            "age": 100,
            "sex": ["f", "m"],
            "born": {"low": date(1900, 1, 1), "high": date(2020, 1, 1), "missing": True},
        },
    )
    again = Mst.parse(spec.to_dict())
    frame = pl.DataFrame(
        {"age": [5], "sex": ["f"], "born": [date(1950, 1, 1)]},
    )
    codes = [
        encode_declared(frame, coded_columns(frame, one.domain)).tolist() for one in (spec, again)
    ]
    assert codes[0] == codes[1]
    with pytest.raises(SpecError):
        Mst.parse({"generator": "mst", "epsilon": 1, "domain": {"sex": {"values": []}}})
