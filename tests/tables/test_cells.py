"""Empty and zero have one meaning, in memory and in every file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.populations.population_file import in_population
from microveil.tables import Door, LazyTable
from microveil.tables.cells import tidy_cells, tidy_plan

numbers = st.lists(st.sampled_from([0.0, -0.0, 1.5, math.nan, None]), min_size=1, max_size=12)
texts = st.lists(st.sampled_from(["", "x", " ", None]), min_size=1, max_size=12)


def bits(series: pl.Series) -> list[Any]:
    """Values, with the sign of zeros to be seen."""
    return [value if value is None else (value, math.copysign(1, value)) for value in series]


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
@given(values=numbers)
def test_zeros_have_no_sign_and_nan_is_missing(values: list[float | None], dtype: Any) -> None:
    frame = pl.DataFrame({"x": pl.Series(values, dtype=dtype)})
    expected = [None if v is None or math.isnan(v) else v + 0.0 for v in values]
    for tidy in (tidy_cells(frame), tidy_plan(frame.lazy()).collect(), mv.Table(frame).frame):
        assert tidy["x"].dtype == dtype
        assert bits(tidy["x"]) == bits(pl.Series(expected, dtype=dtype))


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["", "x", " "])])
@given(values=texts)
def test_an_empty_text_is_missing_and_a_blank_one_is_not(
    values: list[str | None], dtype: Any
) -> None:
    frame = pl.DataFrame({"x": pl.Series(values, dtype=dtype)})
    expected = [value or None for value in values]
    for tidy in (tidy_cells(frame), tidy_plan(frame.lazy()).collect(), mv.Table(frame).frame):
        assert tidy["x"].dtype == dtype
        assert tidy["x"].to_list() == expected


def test_columns_that_need_nothing_are_left_alone() -> None:
    frame = pl.DataFrame({"x": [0.0, 1.0], "t": ["a", None], "n": [0, 1], "l": [[""], ["a"]]})
    assert tidy_cells(frame) is frame


@given(numbers, texts)
def test_classes_of_a_plan_are_those_of_the_table(
    values: list[float | None], words: list[str | None]
) -> None:
    n = min(len(values), len(words))
    frame = pl.DataFrame(
        {"x": pl.Series(values[:n], dtype=pl.Float64), "t": pl.Series(words[:n], dtype=pl.String)}
    )
    roles = mv.Roles(quasi_identifiers=["x", "t"])
    table, plan = mv.Table(frame, roles), LazyTable(frame.lazy(), roles)
    assert sorted(mv.Classes.of(table).sizes) == sorted(mv.Classes.of(plan).sizes)


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.jsonl"])
def test_what_is_one_class_in_memory_is_one_in_the_file(tmp_path: Path, name: str) -> None:
    frame = pl.DataFrame(
        {"x": [0.0, -0.0, 1.0, 1.0], "t": ["", None, "a", "a"], "y": [math.nan, None, 2.0, 2.0]}
    )
    roles = mv.Roles(quasi_identifiers=["x", "t", "y"])
    release = mv.run(mv.Recipe(roles=roles, require=[mv.KAnonymity(k=2)]), frame)
    assert release.holds
    release.write(tmp_path / name)
    assert mv.KAnonymity(k=2).check(mv.read(tmp_path / name), roles).holds
    assert release.data.unique().height == 2


def test_a_step_that_makes_negative_zeros_makes_zeros() -> None:
    class Flip(mv.Method):
        def apply(self, table: mv.Table, rng: np.random.Generator) -> Any:  # noqa: ARG002  no chance
            return mv.Outcome(table.with_frame(table.frame.with_columns(x=-pl.col("x"))))

    table = mv.Table({"x": [0.0, 1.0]})
    for made in (
        Flip().apply(table, np.random.default_rng(0)).table,
        table.with_columns([pl.Series("x", [-0.0, math.nan])]),
        table.with_columns([-pl.col("x")]),
    ):
        assert bits(made.frame["x"])[0] == (0.0, 1.0)
        assert made.frame["x"].is_nan().sum() == 0
    rounded = mv.Round(columns=["x"], base=5).protect(pl.DataFrame({"x": [-1.0, 1.0]}))
    assert bits(rounded["x"]) == [(0.0, 1.0), (0.0, 1.0)]


def test_pandas_gets_the_one_meaning_back() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"t": ["", "a"], "x": [-0.0, math.nan], "same": [1.5, math.nan]})
    door = Door(frame)
    result = door.back(mv.Table(frame).frame)
    assert result["t"].isna().tolist() == [True, False]
    assert math.copysign(1, result["x"][0]) == 1
    assert result["same"].isna().tolist() == [False, True]


def test_a_population_reads_empty_cells_alike() -> None:
    classes = mv.Classes.of(mv.Table({"t": [None, "a"]}, mv.Roles(quasi_identifiers=["t"])))
    town = pl.DataFrame({"t": ["", None, "a", "a", "a"]})
    assert in_population(classes, town).counts.tolist() in ([2, 3], [3, 2])
