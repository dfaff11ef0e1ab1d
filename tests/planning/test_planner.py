"""Every step gets the plan that needs least of the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from microveil.errors import InputError
from microveil.methods import (
    Pseudonymize,
)
from microveil.planning import FileEngine, plan_steps
from microveil.planning.planner import not_there
from tests.planning.test_parts_equal_whole import people, recipe_of

KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "drop": ({"method": "drop", "columns": ["name"]}, "row by row"),
    "pram": ({"method": "pram", "columns": ["town"], "retention": 0.8}, "from counts"),
    "mondrian": ({"method": "mondrian", "k": 3}, "from counts"),
    "noise": (
        {"method": "additive_noise", "columns": ["pay"], "sd_share": 0.1},
        "from moments",
    ),
    "swap": (
        {"method": "rank_swap", "columns": ["pay"], "range_share": 0.1},
        "its columns in memory",
    ),
}


@pytest.mark.parametrize("case", KINDS)
def test_a_step_has_the_plan_that_its_price_names(case: str, tmp_path: Path) -> None:
    step, kind = KINDS[case]
    path = tmp_path / "people.parquet"
    people(300).write_parquet(path)
    recipe = recipe_of([step])
    engine = FileEngine(path, recipe.roles, {}, 1, 2**30, folder=tmp_path)
    course = plan_steps(recipe, engine, 1)
    assert [plan.kind for plan in course.plans] == [kind]
    assert course.height() == 300
    assert sum(table.height for table in course.tables()) == 300


def test_large_tables_are_sorted_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setattr("microveil.planning.methods.by_sorting.LARGE", 100)
    path = tmp_path / "people.parquet"
    people(300).write_parquet(path)
    recipe = recipe_of([KINDS["swap"][0]])
    for folder, kind in ((tmp_path, "sorted on disk"), (None, "its columns in memory")):
        engine = FileEngine(path, recipe.roles, {}, 1, 2**30, folder=folder)
        assert plan_steps(recipe, engine, 1).plans[0].kind == kind


def test_a_mapping_is_refused_and_a_split_comes_last(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    people(20).write_parquet(path)
    groups = {"keys": ["age", "sex"], "others": ["ill"]}
    split = {"method": "decompose", "groups": groups}
    recipe = recipe_of([split, {"method": "drop", "columns": ["name"]}])
    plans = plan_steps(recipe, FileEngine(path, recipe.roles, {}, 1, 2**30), 1).plans
    assert [plan.step.kind() for plan in plans] == ["drop", "decompose"]
    mapped = recipe_of([{"method": "pseudonymize", "columns": ["name"], "mapping": True}])
    with pytest.raises(InputError, match=r"steps\.0\.pseudonymize.*makes a mapping"):
        plan_steps(mapped, FileEngine(path, mapped.roles, {}, 1, 2**30), 1)


def test_a_mapping_that_is_not_on_spark_says_why() -> None:
    told = str(not_there(Pseudonymize(columns=["x"], mapping=True)))
    assert told.startswith("Step 'pseudonymize' ")
    assert "writes no mapping" in told
    assert "--engine local" in told
