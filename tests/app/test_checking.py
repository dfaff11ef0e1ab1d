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


CELLS: dict[str, tuple[str, Any]] = {
    "nothing": ("x", 1.5),
    "one missing number": ("x", None),
    "one missing category": ("c", None),
    "an infinite number": ("x", float("inf")),
    "no number": ("x", float("nan")),
    "a missing weight": ("w", None),
    "a negative weight": ("w", -1.0),
    "a missing person": ("id", None),
    "a missing stratum": ("reg", None),
    "an unknown place": ("c", "Oz"),
}
"""A cell in the one record that no even choice among the others would find."""
ROLES: dict[str, dict[str, Any]] = {
    "rows": {},
    "people": {"entity": "id"},
    "households": {"household": "home"},
    "everything": {"entity": "id", "household": "home", "strata": ["reg"], "weight": "w"},
}
STEPS: dict[str, dict[str, Any]] = {
    "synthesize": {"columns": ["x"]},
    "swap_records": {"hierarchy": ["c"], "swap_share": 0.5},
    "microaggregate": {"columns": ["x"], "k": 3},
    "additive_noise": {"columns": ["x"], "sd_share": 0.2},
    "shuffle": {"columns": ["x"], "given": ["age"]},
    "generalize": {"column": "c", "hierarchy": {"tree": {"A": list("abc")}}, "level": 1},
    "optimal_generalization": {
        "k": 2,
        "columns": ["c"],
        "hierarchies": {"c": {"tree": {"A": list("abc")}}},
    },
    "local_suppression": {"k": 2, "columns": ["c"]},
}


def _people(n: int, column: str, cell: Any) -> pl.DataFrame:
    numbers = pl.DataFrame({"n": range(n)})["n"]
    frame = pl.DataFrame(
        {
            "id": numbers // 2,
            "home": numbers // 3,
            "age": 20 + numbers % 40,
            "x": (numbers * 37 % 101).cast(pl.Float64),
            "w": 1 + (numbers % 3).cast(pl.Float64),
            "c": (numbers // 3 % 3).replace_strict([0, 1, 2], list("abc")),
            "reg": (numbers // 6 % 2).replace_strict([0, 1], ["n", "s"]),
        }
    )
    new = pl.when(numbers == n // 2 + 1).then(pl.lit(cell, frame.schema[column]))
    return frame.with_columns(new.otherwise(pl.col(column)).alias(column))


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("who", ROLES)
def test_a_check_says_what_a_run_says_though_it_tries_some_of_the_records(
    monkeypatch: pytest.MonkeyPatch, cell: str, who: str
) -> None:
    monkeypatch.setattr(checking, "N_TRIED", 40)
    monkeypatch.setattr(checking, "N_VALUES", 8)
    frame = _people(90, *CELLS[cell])
    for kind, settings in STEPS.items():
        roles: dict[str, Any] = {"quasi_identifiers": ["age"], **ROLES[who]}
        recipe = mv.Recipe.parse(
            {
                "roles": roles,
                "steps": [{"method": kind, **settings}],
                "undeclared": "keep",
                "keep": ["id", "home"],
            }
        )
        found = check(recipe, frame).problems
        try:
            mv.run(recipe, frame, seed=1)
        except mv.GoalNotReachedError:
            assert found == ()
        except mv.InputError as error:
            assert found == (str(error),), kind  # noqa: PT017  either way out is right
        else:
            assert found == (), kind
