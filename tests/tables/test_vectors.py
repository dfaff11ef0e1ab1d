"""Single columns: protected and measured as they are, without a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import microveil as mv

NUMBERS = np.arange(40.0) ** 1.5

KINDS: dict[str, Callable[[Any], Any]] = {
    "numpy": lambda values: values,
    "pandas": lambda values: pd.Series(values, index=range(5, 5 + len(values))),
    "named pandas": lambda values: pd.Series(values, name="pay"),
    "polars": pl.Series,
    "named polars": lambda values: pl.Series("pay", values),
    "arrow": pa.array,
    "arrow chunks": lambda values: pa.chunked_array([values[:7], values[7:]]),
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_single_column_comes_back_as_it_came_in(kind: str) -> None:
    vector = KINDS[kind](NUMBERS)
    swapped = mv.RankSwap(range_share=0.2).protect(vector, seed=1)
    assert type(swapped) is type(vector)
    assert getattr(swapped, "name", None) == getattr(vector, "name", None)
    values = np.asarray(swapped, dtype=float)
    assert sorted(values) == sorted(NUMBERS)
    assert (values != NUMBERS).any()
    if kind == "pandas":
        assert swapped.index.tolist() == list(range(5, 45))


@pytest.mark.parametrize("kind", list(KINDS))
def test_two_columns_are_measured_whatever_their_names(kind: str) -> None:
    moved = NUMBERS + 1
    first, second = KINDS[kind](NUMBERS), KINDS[kind](moved)
    other = second.rename("another") if kind == "pandas" else second
    expected = len(NUMBERS) / (np.sqrt(2) * NUMBERS.std(ddof=1))
    assert mv.IL1s().measure(first, other).value == pytest.approx(expected)
    # All lie within 0.2 standard deviations of their moved values or none does.
    inside = 0.2 * moved.std(ddof=1) >= 1
    assert mv.IntervalDisclosure(k=0.2).measure(first, other).value == float(inside)


def test_text_in_a_numpy_vector_has_gaps_where_none_stands() -> None:
    vector = np.array(["a", None, "b", float("nan")], dtype=object)
    masked = mv.Mask(keep_start=0, char="#").protect(vector)
    assert masked.tolist() == ["#", None, "#", None]


def test_a_step_named_for_one_column_takes_an_unnamed_vector() -> None:
    step = mv.Generalize(column="pay", hierarchy={"hierarchy": "types"}, level=1)
    assert step.protect(np.array([12, 25])).tolist() == ["10", "20"]


def test_a_frame_still_needs_named_columns() -> None:
    with pytest.raises(mv.MicroveilError, match="names no column"):
        mv.RankSwap(range_share=0.1).protect({"x": [1, 2]})
    with pytest.raises(mv.MicroveilError, match=r"steps\.0\.rank_swap\.columns: Field required"):
        mv.Recipe.from_yaml("steps: [{method: rank_swap, range_share: 0.1}]")


def test_files_must_name_the_columns() -> None:
    schema = mv.RankSwap.model_json_schema()
    assert "columns" in schema["required"]
    assert "default" not in schema["properties"]["columns"]


def test_a_matrix_is_no_column() -> None:
    with pytest.raises(mv.MicroveilError, match="NumPy vector"):
        mv.RankSwap(columns="x", range_share=0.1).protect(np.zeros((2, 2)))


@pytest.mark.parametrize(
    "step",
    [
        mv.AdditiveNoise(sd_share=0),
        mv.AdditiveNoise(variance_share=0, variant="kim"),
        mv.MultiplicativeNoise(sd=0, distribution="normal"),
        mv.RankSwap(range_share=0),
        mv.RankSwap(range_share=0, variant="blocks"),
        mv.RankSwap(range_share=0, variant="chained"),
        mv.TopBottomCode(top_share=0),
    ],
)
def test_a_strength_of_zero_changes_nothing(step: mv.Method) -> None:
    whole = pl.Series([5, 3, 9, None, 1])
    assert step.protect(whole, seed=3).equals(whole)
