from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.methods.parts.recoding import replay


def test_a_step_is_replayed_on_as_many_records_as_have_each_value() -> None:
    pets = pl.Series("pet", ["cat", "dog", "owl"])
    step = mv.GroupRare(columns=["pet"], min_count=2)
    found = replay(step, pets, np.array([5, 2, 1]))
    assert found is not None
    assert [one.to_list() for one in found.levels] == [["cat", "dog", "other"]]
    assert found.tree == ()


def test_a_value_that_no_record_has_is_left_open() -> None:
    step = mv.GroupRare(columns=["pet"], min_count=2)
    found = replay(step, pl.Series("pet", ["ant", "cat", "dog"]), np.array([0, 2, 1]))
    assert found is not None
    assert found.levels[0].to_list() == [None, "cat", "other"]


def test_a_step_along_a_hierarchy_tells_its_levels() -> None:
    ages = pl.Series("age", [21, 34])
    decades = {"hierarchy": "intervals", "width": 10, "factors": [2]}
    found = mv.Generalize(column="age", hierarchy=decades, level=1).recodes(
        "age", ages, np.ones(2, dtype=np.int64)
    )
    assert found is not None
    assert [one.to_list() for one in found.levels] == [["[20, 30)", "[30, 40)"]]
    assert [one.to_list() for one in found.tree] == [
        ["21", "34"],
        ["[20, 30)", "[30, 40)"],
        ["[20, 40)", "[20, 40)"],
        ["*", "*"],
    ]
