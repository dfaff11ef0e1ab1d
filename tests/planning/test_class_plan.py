"""Rows get the result of their class, in their order where a class has several."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from microveil.methods import Outcome
from microveil.planning.class_plan import ClassPlan, class_plan
from microveil.tables import Table
from microveil.tables.table import Counted

KEYS = pl.DataFrame({"sex": ["f", "m", None], "age": [30, 40, 50]})
RNG = np.random.default_rng(0)


def planned(results: pl.DataFrame, each: list[int], counts: list[int]) -> ClassPlan:
    found = Counted(KEYS, np.array(counts))
    outcome = Outcome(Table(results), {"n": 1})
    step = mv.SuppressRecords(k=2)
    return class_plan((step, 0, ("sex", "age")), found, outcome, np.array(each))


def test_equal_rows_have_equal_results() -> None:
    plan = planned(KEYS.with_columns(age=pl.lit(0)), [0, 1, 2], [5, 1, 1])
    assert not plan.sequential
    part = Table(pl.DataFrame({"sex": [None, "f"], "age": [50, 30], "pay": [1, 2]}))
    after = plan.protect(part, RNG, plan.start()).table.frame
    assert after.rows() == [(None, 0, 1), ("f", 0, 2)]


def test_a_class_with_several_results_deals_them_out_over_the_parts() -> None:
    each = [0, 0, 0, 1, 2]
    results = pl.DataFrame({"sex": ["f", "f", "*", "m", None], "age": [30, 30, 30, 40, 50]})
    plan = planned(results, each, [3, 1, 1])
    assert plan.sequential
    state = plan.start()
    part = Table(pl.DataFrame({"sex": ["f", "m"], "age": [30, 40]}))
    seen = [plan.protect(part.filter(np.array([True, False])), RNG, state) for _ in range(3)]
    found = sorted(one.table.frame["sex"][0] for one in seen)
    assert found == ["*", "f", "f"]


def test_a_row_that_was_not_counted_is_an_error() -> None:
    plan = planned(KEYS.with_columns(sex=pl.lit("*")), [0, 1, 2], [1, 1, 1])
    strange = Table(pl.DataFrame({"sex": ["x"], "age": [30]}))
    with pytest.raises(FileError, match="changed while they were read"):
        plan.protect(strange, RNG, plan.start())
