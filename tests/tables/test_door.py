from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import microveil as mv
from microveil.methods import Drop, SuppressRecords
from microveil.tables import Table, to_polars
from microveil.tables.door import as_given
from tests.conftest import frame_kinds
from tests.tables.cases import ROLES


def example() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "sex": ["f", "m", "f", None],
            "age": [1, 2, 3, None],
            "score": [0.5, None, 1.5, 2.5],
            "when": [dt.date(2021, 1, 1)] * 4,
            "at": [dt.datetime(2021, 1, 1, 12)] * 4,  # noqa: DTZ001  naive on purpose
            "long": [dt.timedelta(seconds=5)] * 4,
            "price": [Decimal("1.20")] * 4,
            "member": [True, False, None, True],
        }
    )


@pytest.mark.parametrize("make", frame_kinds())
def test_the_same_kind_of_frame_comes_back(make: Any) -> None:
    frame = make(example())
    assert type(Drop(columns=["age"]).protect(frame)) is type(frame)


@pytest.mark.parametrize("make", frame_kinds())
def test_untouched_columns_come_back_as_they_were(make: Any) -> None:
    frame = make(example())
    result = Drop(columns=["age"]).protect(frame)
    if isinstance(frame, pd.DataFrame):
        pd.testing.assert_frame_equal(result, frame.drop(columns="age"))
    elif isinstance(frame, pa.Table):
        assert result.equals(frame.drop_columns(["age"]))
    else:
        assert result.lazy().collect().equals(frame.lazy().drop("age").collect())


@pytest.mark.parametrize("make", frame_kinds())
def test_rows_that_go_take_nothing_else_with_them(make: Any) -> None:
    frame = make(example())
    result = to_polars(SuppressRecords(k=2).protect(frame, roles=ROLES))
    assert result["age"].to_list() == [1, 3]


def test_something_that_is_no_frame_is_refused() -> None:
    with pytest.raises(mv.InputError, match="A data frame or a column is needed"):
        Table([1, 2, 3])


@pytest.mark.parametrize("make", frame_kinds())
def test_an_empty_frame_passes(make: Any) -> None:
    frame = make(example().clear())
    assert to_polars(frame).height == 0
    assert type(Drop(columns=["age"]).protect(frame)) is type(frame)


@pytest.mark.parametrize("make", frame_kinds())
def test_changed_columns_come_back_in_the_frame_s_own_backend(make: Any) -> None:
    frame = make(example())
    result = mv.Mask(columns=["sex"], pattern="X").protect(frame)
    assert to_polars(result)["sex"].to_list() == ["X", "X", "X", None]
    if isinstance(frame, pd.DataFrame):
        assert result["sex"].dtype == frame["sex"].dtype
    if isinstance(frame, pa.Table):
        assert result.schema.field("sex").type == frame.schema.field("sex").type


@pytest.mark.parametrize("make", frame_kinds())
def test_the_frame_handed_in_stays_as_it_was(make: Any) -> None:
    frame, twin = make(example()), make(example())
    mv.Mask(columns=["sex"], pattern="X").protect(frame)
    assert to_polars(frame).equals(to_polars(twin))


@pytest.mark.parametrize("name", ["*", "^a.*$"])
def test_a_column_named_like_a_pattern_is_refused(name: str) -> None:
    with pytest.raises(mv.ColumnError, match="Rename the column"):
        to_polars(pl.DataFrame({name: [1], "ab": [2]}))


def test_categories_that_left_with_their_rows_are_forgotten() -> None:
    town = pd.Series(["Ur", "Lone", "Ur"], dtype="category")
    frame = pd.DataFrame({"sex": ["f", "m", "f"], "town": town})
    kept = SuppressRecords(k=2).protect(frame, roles=ROLES)
    assert kept["town"].cat.categories.tolist() == ["Ur"]
    arrow = pa.table({"sex": ["f", "m", "f"], "town": pa.array(town).dictionary_encode()})
    left = SuppressRecords(k=2).protect(arrow, roles=ROLES)
    assert left["town"].combine_chunks().dictionary.to_pylist() == ["Ur"]


def test_changed_categories_name_only_what_still_occurs() -> None:
    town = pd.Series(["Ur", "Lone", "Ur"], dtype="category")
    grouped = mv.GroupRare(columns=["town"], min_count=2).protect(pd.DataFrame({"town": town}))
    assert "Lone" not in grouped["town"].cat.categories


def test_a_frame_is_given_cell_by_cell_as_it_is() -> None:
    import pandas as pd

    frame = pd.DataFrame({"s": ["", "a"], "n": [-0.0, 1.0]})
    assert as_given(frame)["s"].to_list() == ["", "a"]
    assert as_given(pl.DataFrame({"x": [1]}).lazy())["x"].to_list() == [1]
