from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import microveil as mv
from microveil.methods import Drop, SuppressRecords
from microveil.tables import Door, to_polars
from tests.tables.cases import ROLES


def test_a_pandas_index_follows_its_rows_through_protect() -> None:
    frame = pd.DataFrame({"sex": ["f", "m", "f"]}, index=["a", "b", "c"])
    assert SuppressRecords(k=2).protect(frame, roles=ROLES).index.tolist() == ["a", "c"]


def test_a_pandas_index_does_not_leak_into_a_release() -> None:
    frame = pd.DataFrame({"sex": ["f", "m", "f"]}, index=["id-1", "id-2", "id-3"])
    release = mv.run(mv.Recipe(roles=ROLES, steps=[SuppressRecords(k=2)]), frame)
    assert release.data.index.tolist() == [0, 1]
    assert list(release.data.columns) == ["sex"]
    assert release.rows is not None
    assert frame.index[release.rows].tolist() == ["id-1", "id-3"]


def test_pandas_nan_and_polars_nan_both_mean_missing() -> None:
    assert to_polars(pd.DataFrame({"x": [1.0, np.nan]}))["x"].null_count() == 1
    assert to_polars(pl.DataFrame({"x": [1.0, float("nan")]}))["x"].null_count() == 1


def test_pandas_categories_keep_their_order() -> None:
    dtype = pd.CategoricalDtype(["low", "high"], ordered=True)
    frame = pd.DataFrame({"level": pd.Series(["high", "low"], dtype=dtype)})
    assert to_polars(frame)["level"].dtype == pl.Enum(["low", "high"])
    assert Door(frame).back(to_polars(frame))["level"].dtype == dtype


def test_pandas_categories_of_numbers_become_numbers() -> None:
    frame = pd.DataFrame({"level": pd.Series([2, 1, 2], dtype="category")})
    assert to_polars(frame)["level"].to_list() == [2, 1, 2]


def test_number_labels_of_pandas_columns_survive() -> None:
    frame = pd.DataFrame([[1, "x"], [2, "y"]])
    labels: list[Any] = Drop(columns=["1"]).protect(frame).columns.tolist()
    assert labels == [0]


def test_doubled_pandas_columns_are_refused_by_name() -> None:
    frame = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(mv.ColumnError, match="more than one column named 'a'"):
        to_polars(frame)


def test_a_mixed_pandas_column_is_refused_without_quoting_it() -> None:
    frame = pd.DataFrame({"x": ["secret-cell", 5]})
    with pytest.raises(mv.ColumnError, match="Column 'x'") as caught:
        to_polars(frame)
    assert "secret-cell" not in str(caught.value)


def test_periods_and_intervals_are_text_here_and_come_back_as_they_were() -> None:
    frame = pd.DataFrame(
        {
            "month": pd.period_range("2020-01", periods=3, freq="M"),
            "span": pd.interval_range(0, 3),
            "cut": pd.cut(pd.Series([1, 5, 9]), [0, 4, 10]),
            "few": pd.arrays.SparseArray([0, 0, 1]),
            "x": [1, 2, 3],
        }
    )
    frame.loc[1, "month"] = None
    told = to_polars(frame)
    assert told["month"].to_list() == ["2020-01", None, "2020-03"]
    assert told["span"].to_list() == ["(0, 1]", "(1, 2]", "(2, 3]"]
    assert told["cut"].to_list() == ["(0, 4]", "(4, 10]", "(4, 10]"]
    assert isinstance(told["cut"].dtype, pl.Enum)
    assert told["few"].to_list() == [0, 0, 1]
    back = Door(frame).back(told.with_columns(x=pl.lit(0)))
    pd.testing.assert_frame_equal(back.drop(columns="x"), frame.drop(columns="x"))


def test_a_pandas_frame_is_written_as_it_is(tmp_path: Path) -> None:
    frame = pd.DataFrame({"s": ["", "a"], "n": [1.5, None]}, index=[7, 9])
    mv.write(frame, tmp_path / "t.parquet", keep_order=True)
    assert mv.read(tmp_path / "t.parquet").rows() == [("", 1.5), ("a", None)]
