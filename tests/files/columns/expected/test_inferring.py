"""A schema from data gives no record away."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.files.columns.expected.comparing import compare_with_schema
from microveil.files.columns.expected.inferring import infer_schema


def column(cells: Any, **options: Any) -> dict[str, Any]:
    plain: dict[str, Any] = infer_schema({"x": cells}, **options).to_dict()["columns"]["x"]
    return plain


def test_categories_are_listed_where_each_is_common() -> None:
    assert column(["f", "m"] * 10)["categories"] == ["f", "m"]
    assert "categories" not in column(["f", "m"] * 10 + ["x"])
    assert column(["f", "m", "x"], fewest=1)["categories"] == ["f", "m", "x"]
    assert "categories" not in column([f"p{i}" for i in range(51)] * 10)
    assert column([True, False] * 10)["categories"] == [False, True]


def test_limits_of_few_records_are_rounded_outwards() -> None:
    ages = [18] * 10 + list(range(19, 98))
    assert column(ages) == {"type": "integer", "at_least": 18, "at_most": 100, "missing": False}
    assert column([0.0, 0.37])["at_most"] == 0.4
    assert column([-3, 1_234_567])["at_most"] == 2_000_000
    assert column([-3, 1_234_567])["at_least"] == -1_000_000
    assert column([7]) == {"type": "integer", "at_least": 7, "at_most": 7, "missing": False}


def test_of_dates_only_a_decade_is_told() -> None:
    assert column([date(1987, 5, 6), date(2024, 1, 1)])["at_least"] == "1980-01-01"
    assert column([datetime(2003, 1, 1, tzinfo=UTC), None]) == {
        "type": "instant",
        "at_least": "2000-01-01",
    }


def test_odd_columns_have_a_type_and_no_limits() -> None:
    assert column([None, None]) == {"type": "text"}
    assert column([float("inf")]) == {"type": "number", "missing": False}
    assert column([[1], [2]]) == {"type": "list", "missing": False}
    assert infer_schema({"x": []}).to_dict()["columns"]["x"] == {"type": "text"}


def test_the_fewest_are_at_least_one() -> None:
    with pytest.raises(InputError, match="at least 1, not 0"):
        infer_schema({"x": [1]}, fewest=0)


CELLS = st.one_of(
    st.lists(st.none() | st.integers(-(10**6), 10**6), min_size=1),
    st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1),
    st.lists(st.none() | st.sampled_from(["a", "b", "no", "ß"]), min_size=1),
    st.lists(st.none() | st.dates(), min_size=1),
    st.lists(st.none() | st.booleans(), min_size=1),
)


@given(cells=CELLS, fewest=st.integers(1, 12))
def test_the_data_themselves_are_as_expected(cells: list[Any], fewest: int) -> None:
    frame = pl.DataFrame({"x": cells})
    assert compare_with_schema(frame.lazy(), infer_schema(frame, fewest=fewest)) == ()
