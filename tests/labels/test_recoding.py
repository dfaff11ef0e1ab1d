from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.hierarchies import Digits, Intervals
from microveil.labels.recoding import ByHierarchy, at_any_level, follow, says_nothing

ONES = np.ones(4, dtype=np.int64)


def test_values_are_followed_through_nested_steps() -> None:
    ages = pl.Series("age", [18, 41, 79, 95])
    groups = {"tree": {"few": ["10"], "many": ["40", "70"]}}
    steps = [
        mv.TopBottomCode(columns=["age"], top=79),
        mv.Generalize(column="age", hierarchy={"hierarchy": "types"}, level=1),
        mv.Generalize(column="age", hierarchy=groups, level=1),
    ]
    assert [one.to_list() for one in follow(steps[:1], "age", ages, ONES).levels] == [
        ["18", "41", "79", "79"]
    ]
    found = follow(steps, "age", ages, ONES)
    assert [one.to_list() for one in found.levels] == [["few", "many", "many", "many"]]


def test_a_hierarchy_alone_may_have_been_published_at_any_level() -> None:
    codes = pl.Series("zip", ["1234", "1299"])
    found = follow([ByHierarchy(Digits())], "zip", codes, ONES[:2])
    assert [one.to_list() for one in found.levels] == [
        ["1234", "1299"],
        ["123*", "129*"],
        ["12**", "12**"],
        ["1***", "1***"],
        ["*", "*"],
    ]
    assert len(found.tree) == 5
    assert says_nothing(found.levels[-1])


def test_a_step_that_does_not_fit_its_column_is_passed_over() -> None:
    names = pl.Series("name", ["a", "b", "c", "d"])
    assert follow([ByHierarchy(Intervals(width=10))], "name", names, ONES).levels == ()


def test_unlisted_values_are_stars_above_themselves() -> None:
    tree = mv.Generalize(column="x", hierarchy={"tree": {"G": ["a", "b"]}}, level=1).hierarchy
    found = at_any_level(tree, pl.Series("x", ["a", "z"]), ONES[:2])
    assert [one.to_list() for one in found.levels] == [["a", "z"], ["G", "*"], ["*", "*"]]
