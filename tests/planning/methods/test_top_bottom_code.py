"""Limits by share are exact, though the values are only counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.planning.course import Course
from microveil.planning.methods.top_bottom_code import plan_coding
from tests.planning.cases import course_of, engine_of

RNG = np.random.default_rng(0)
PAY = [1] * 9 + list(range(10, 90)) + [98] * 8 + [99, 99, 1000, None]
FRAME = pl.DataFrame({"pay": PAY, "none": pl.Series([None] * len(PAY))})


def test_values_beyond_the_limits_of_all_rows_are_cut_off_in_each_part(tmp_path: Path) -> None:
    step = mv.TopBottomCode(columns=["pay"], top_share=0.05, bottom_share=0.05)
    plan = plan_coding(step, 0, course_of(FRAME, tmp_path))
    whole = step.apply(mv.Table(FRAME), RNG).table.frame["pay"]
    parts = [
        plan.protect(mv.Table(part), RNG, plan.start()).table.frame["pay"]
        for part in FRAME.iter_slices(30)
    ]
    assert pl.concat(parts).equals(whole)
    assert plan.kind == "from counts"
    assert not plan.opaque


def test_the_mean_beyond_a_limit_is_that_of_all_records(tmp_path: Path) -> None:
    step = mv.TopBottomCode(columns=["pay"], top=97, replace_by="mean")
    plan = plan_coding(step, 0, course_of(FRAME, tmp_path))
    part = mv.Table(FRAME.filter(pl.col("pay") == 99))
    assert plan.protect(part, RNG, None).table.frame["pay"].to_list() == pytest.approx(
        [1982 / 11] * 2
    )


def test_columns_without_a_value_or_of_another_kind(tmp_path: Path) -> None:
    step = mv.TopBottomCode(columns=["none"], top=3)
    plan = plan_coding(step, 0, course_of(FRAME, tmp_path))
    assert plan.ends == {}
    assert plan.protect(mv.Table(FRAME), RNG, None).table.frame.equals(FRAME)
    with pytest.raises(InputError, match="'town'"):
        plan_coding(mv.TopBottomCode(columns=["town"], top=3), 0, course_of(FRAME, tmp_path))


def test_more_values_than_memory_are_refused(tmp_path: Path) -> None:
    rows = pl.DataFrame({"pay": [1, 2] * 100})
    engine = engine_of(rows, tmp_path, memory_limit=24 * 200 - 1)
    step = mv.TopBottomCode(columns=["pay"], top_share=0.5)
    with pytest.raises(InputError, match="values of column 'pay' would take"):
        plan_coding(step, 0, Course(engine, engine.roles))
