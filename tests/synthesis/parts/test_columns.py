from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.parts.columns import (
    CategoryColumn,
    NumberColumn,
    decode_columns,
    encode_columns,
    read_columns,
)
from microveil.synthesis.parts.generator import Fitted
from tests.conformance import cases


@pytest.mark.parametrize("kind", [kind for kind in cases.COLUMNS if kind != "infinite"])
@pytest.mark.parametrize("holes", [False, True])
def test_every_kind_of_column_comes_back_as_it_was(kind: str, holes: bool) -> None:  # noqa: FBT001
    series = cases.COLUMNS[kind].alias("x")
    if holes:
        series = pl.Series("x", [None, *series[1:-1], None], dtype=series.dtype)
    columns = read_columns(series.to_frame())
    back = decode_columns(encode_columns(series.to_frame(), columns), columns)["x"]
    assert back.dtype == series.dtype
    assert back.to_list() == series.to_list()


def test_infinite_numbers_are_refused_by_count() -> None:
    with pytest.raises(mv.InputError, match="'x' has 2 infinite numbers"):
        read_columns(cases.COLUMNS["infinite"].alias("x").to_frame())


def test_nested_values_are_refused_by_name() -> None:
    with pytest.raises(mv.InputError, match="'x'"):
        read_columns(cases.NESTED["lists"].alias("x").to_frame())


def test_dates_lie_on_a_grid_of_their_own() -> None:
    series = pl.Series("x", [0, 7, 21], dtype=pl.Int32).cast(pl.Date)
    (column,) = read_columns(series.to_frame())
    assert isinstance(column, NumberColumn)
    assert column.encode(series).tolist() == [0.0, 1.0, 3.0]
    assert column.decode(np.array([1.7, 99.0, np.nan])).to_list() == [
        *pl.Series([14, 21], dtype=pl.Int32).cast(pl.Date).to_list(),
        None,
    ]


def test_decimals_are_kept_as_a_reader_would_read_them() -> None:
    series = pl.Series("x", [0.1, 0.35, 1.2])
    (column,) = read_columns(series.to_frame())
    assert column.decode(np.array([30.0, 70.0])).to_list() == [0.3, 0.7]


def test_a_value_that_is_not_listed_is_missing() -> None:
    column = CategoryColumn("x", pl.String(), pl.Series(["a", "b"]))
    assert column.encode(pl.Series(["b", "z", None])).tolist() == [1, -1, -1]


def test_whole_numbers_too_far_apart_are_refused() -> None:
    with pytest.raises(mv.InputError, match="2\\^53"):
        read_columns(pl.DataFrame({"x": [0, 2**60 + 1]}))


def test_a_fitted_model_is_never_pickled() -> None:
    class Model(Fitted):
        facts: Mapping[str, Any] = {}

        def sample(
            self,
            n: int,
            rng: np.random.Generator,  # noqa: ARG002
            given: pl.DataFrame | None = None,  # noqa: ARG002
        ) -> pl.DataFrame:
            return pl.DataFrame({"x": [0] * n})

    with pytest.raises(mv.InputError, match="not saved"):
        pickle.dumps(Model())
