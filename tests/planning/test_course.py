"""A table after the steps planned so far is counted without being computed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.planning import Course
from microveil.planning.course import TooManyClassesError
from microveil.planning.methods.by_classes import plan_by_classes
from microveil.planning.methods.sample import plan_sample
from microveil.planning.plan import RowByRow
from tests.planning.cases import course_of, engine_of

FRAME = pl.DataFrame(
    {
        "age": [31, 34, 38, None, 52],
        "sex": ["f", "f", "f", "m", None],
        "w": [1.0, 2.0, 3.0, 4.0, 5.0],
    }
)
DECADES = RowByRow(mv.Round(columns=["age"], base=10), 0, ("age",))


def test_distinct_rows_are_counted_and_taken_through_the_plans(tmp_path: Path) -> None:
    course = course_of(FRAME, tmp_path).then(DECADES)
    found = course.count_distinct(["age"], "w")
    assert found.keys["age"].to_list() == [None, 30, 40, 50]
    assert found.counts.tolist() == [1, 2, 1, 1]
    assert found.weights is not None
    assert found.weights.tolist() == [4.0, 3.0, 3.0, 5.0]
    assert course.head.frame["age"].to_list() == [30, 30, 40, None, 50]
    assert course.height() == 5


def test_only_the_columns_that_decide_are_counted(tmp_path: Path) -> None:
    course = course_of(FRAME, tmp_path).then(DECADES)
    assert course._needed_columns(["sex"], None) == ["sex"]
    assert course._needed_columns(["age"], "w") == ["age"]
    # Weights that a plan changes, and plans that depend on chance, need every row.
    assert course._needed_columns(["age"], "age") is None
    by_chance = RowByRow(DECADES.step, 0, ("age",), by_chance=True)
    assert course.then(by_chance)._needed_columns(["age"], None) is None
    assert course._needed_columns(["new"], None) is None


def test_rows_that_go_are_not_counted(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    course = course_of(FRAME, tmp_path, mv.Roles(quasi_identifiers=["sex"]))
    plans = plan_by_classes(mv.SuppressRecords(k=2), 0, course, rng)
    assert plans is not None
    course = course.then(plans[0])
    assert course.height() == 3
    found = course.count_distinct(["age"], "w")
    assert found.n_records == 3
    assert found.weights is not None
    assert found.weights.sum() == 6.0
    sampled = course.then(plan_sample(mv.Sample(share=2 / 3), 1, course, rng))
    assert sampled.height() == 2
    assert sampled.count_distinct(["sex"]).counts.tolist() == [2]


def test_facts_of_steps_before_a_new_start_are_kept(tmp_path: Path) -> None:
    engine = engine_of(FRAME, tmp_path)
    first = Course(engine, engine.roles, (DECADES,), ((4, {"n": 1}),))
    behind = first.behind(7, (Course(engine, engine.roles), {"blocks": 2}))
    assert behind.plans == ()
    assert behind.facts == ((4, {"n": 1}), (0, {}), (7, {"blocks": 2}))


def test_too_many_classes_are_replayed_where_plans_make_them_fewer(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": range(100)})
    coarse = RowByRow(mv.Round(columns=["age"], base=1000), 0, ("age",))
    engine = engine_of(frame, tmp_path, memory_limit=80 * 20)  # twenty classes may be held
    course = Course(engine, engine.roles)
    with pytest.raises(TooManyClassesError, match="combinations of 'age'"):
        course.count_distinct(["age"])
    assert course.then(coarse).count_distinct(["age"]).counts.tolist() == [100]


def test_columns_of_all_rows_and_sums_over_parts(tmp_path: Path) -> None:
    course = course_of(FRAME, tmp_path, mv.Roles(quasi_identifiers=["age", "sex"])).then(DECADES)
    table = course.gather(["age"])
    assert table.frame["age"].to_list() == [30, 30, 40, None, 50]
    assert table.roles.quasi_identifiers == ("age",)
    total = course.fold(lambda part: np.array([part.frame["age"].sum()]))
    assert total.tolist() == [150]
