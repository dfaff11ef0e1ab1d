from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app import checking
from microveil.app.checking import check

TREE = {"tree": {"FR": ["Lyon"], "IT": ["Rome"]}}


def test_every_problem_is_told_with_its_place_and_nothing_is_released() -> None:
    recipe = mv.Recipe(
        steps=[
            mv.Drop(columns=["nmae"]),
            mv.Round(columns=["age"], base=5),
            mv.Round(columns=["town"], base=5),
        ]
    )
    found = check(recipe, {"name": ["x"], "age": [31], "town": ["Lyon"]})
    assert not found.fits
    assert [one.split(":")[0] for one in found.problems] == ["steps.0.drop", "steps.2.round"]
    assert found.to_dict() == {
        "fits": False,
        "problems": list(found.problems),
        "n_steps": 3,
        "n_requirements": 0,
    }


def test_without_data_only_the_recipe_is_checked() -> None:
    assert check(mv.Recipe(steps=[mv.Drop(columns=["a"])])).fits
    problem = check(mv.Recipe(require=[mv.KAnonymity(k=2)])).problems
    assert len(problem) == 1
    assert "quasi_identifiers" in problem[0]


def test_a_hierarchy_is_tried_on_all_values_and_steps_on_some(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(checking, "N_TRIED", 10)
    towns = ["Lyon", "Rome"] * 20
    towns[5] = "Oz"  # not among the records that are tried
    recipe = mv.Recipe.parse(
        {"steps": [{"method": "generalize", "column": "town", "hierarchy": TREE, "level": 1}]}
    )
    assert check(recipe, {"town": ["Lyon", "Rome"] * 20}).fits
    (problem,) = check(recipe, {"town": towns}).problems
    assert problem.startswith("steps.0.generalize: ")
    assert "1 distinct value" in problem


def test_a_goal_out_of_reach_shows_only_in_the_run() -> None:
    roles = mv.Roles(quasi_identifiers=["age"])
    recipe = mv.Recipe(roles=roles, steps=[mv.Mondrian(k=50)])
    assert check(recipe, pl.DataFrame({"age": range(10)})).fits


@pytest.mark.parametrize("more", [{"household": "home"}, {"identifiers": ["home"]}, {}])
def test_a_column_that_the_run_would_refuse_is_a_problem(more: dict[str, Any]) -> None:
    roles = {"insensitive": ["age"], **more}
    frame = pl.DataFrame({"age": [30, 40], "home": [1, 1]})
    (problem,) = check(mv.Recipe.parse({"roles": roles}), frame).problems
    assert "'home'" in problem
    dropped = mv.Recipe.parse({"roles": roles, "steps": [{"method": "drop", "columns": ["home"]}]})
    assert check(dropped, frame).fits


def test_a_column_in_another_table_of_the_release_is_checked_too() -> None:
    groups = {"people": ["age", "home"], "rest": ["pay"]}
    recipe = mv.Recipe.parse(
        {
            "roles": {"insensitive": ["age", "pay"], "household": "home"},
            "steps": [{"method": "decompose", "groups": groups}],
        }
    )
    frame = pl.DataFrame({"age": [30, 40], "home": [1, 1], "pay": [5, 6]})
    (problem,) = check(recipe, frame).problems
    assert "'home'" in problem
