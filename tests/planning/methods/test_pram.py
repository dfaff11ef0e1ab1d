"""Categories and matrices come from counts of all records, draws from each part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning.methods.pram import plan_draws, suits
from tests.planning.cases import course_of

FRAME = pl.DataFrame({"town": ["a"] * 60 + ["b"] * 30 + ["c"] * 9 + [None], "n": [1] * 100})
RNG = np.random.default_rng(2)


def test_every_part_draws_from_the_categories_of_all(tmp_path: Path) -> None:
    step = mv.Pram(columns=["town"], retention=0.2)
    plan = plan_draws(step, 4, course_of(FRAME, tmp_path), RNG)
    assert (plan.position, plan.opaque, plan.kind) == (4, True, "from counts")
    only: Any = plan.parts[0]
    assert only.categories == ("a", "b", "c")
    assert np.array(only.matrix).sum(axis=1) == pytest.approx([1, 1, 1])
    part = mv.Table(pl.DataFrame({"town": ["a"] * 200 + [None]}))
    after = plan.protect(part, RNG, None).table.frame["town"]
    assert set(after.to_list()) == {"a", "b", "c", None}
    assert after[200] is None


def test_an_invariant_matrix_keeps_the_counts_of_the_whole_table(tmp_path: Path) -> None:
    step = mv.Pram(columns=["town"], retention=0.6, invariant=True)
    only: Any = plan_draws(step, 0, course_of(FRAME, tmp_path), RNG).parts[0]
    counts = np.array([60, 30, 9])
    assert counts @ np.array(only.matrix) == pytest.approx(counts)


def test_epsilon_is_that_of_all_columns_and_where_categories_came_from_is_told(
    tmp_path: Path,
) -> None:
    course = course_of(FRAME.with_columns(pl.col("n").cast(pl.String)), tmp_path)
    step = mv.RandomizedResponse(columns=["town", "n"], epsilon=1.5)
    plan = plan_draws(step, 0, course, RNG)
    assert plan.told == {"categories_from": "data", "epsilon_per_record": 3.0}
    named = step.model_copy(update={"columns": ("town",), "categories": ("a", "b", "c", "d")})
    found = plan_draws(named, 0, course, RNG)
    assert found.told == {"categories_from": "recipe", "epsilon_per_record": 1.5}
    only: Any = found.parts[0]
    assert only.categories == ("a", "b", "c", "d")


def test_a_column_without_a_category_is_left_alone(tmp_path: Path) -> None:
    empty = pl.DataFrame({"town": pl.Series([None, None], dtype=pl.String)})
    plan = plan_draws(mv.Pram(columns=["town"], retention=0.5), 0, course_of(empty, tmp_path), RNG)
    assert plan.parts == ()
    assert plan.protect(mv.Table(empty), RNG, None).table.frame.equals(empty)


def test_households_people_and_strata_need_every_record() -> None:
    step, response = (
        mv.Pram(columns=["town"], retention=0.5),
        mv.RandomizedResponse(columns=["town"], epsilon=1.0),
    )
    assert suits(step, mv.Roles())
    assert suits(response, mv.Roles(strata=["n"]))
    by_strata = step.model_copy(update={"by_strata": True})
    assert not suits(by_strata, mv.Roles(strata=["n"]))
    assert suits(by_strata, mv.Roles())
    for roles in (mv.Roles(household="n"), mv.Roles(entity="n")):
        assert not suits(step, roles)
        assert not suits(response, roles)
