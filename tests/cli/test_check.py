from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from tests.cli.conftest import RECIPE, Cli


def test_a_recipe_that_fits_is_told_so(cli: Cli, data: Path, tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    alone = cli("check", tmp_path / "recipe.yaml")
    assert (alone.code, "valid" in alone.out) == (0, True)
    beside = cli("check", tmp_path / "recipe.yaml", data)
    assert (beside.code, "fits the data" in beside.out) == (0, True)


def test_every_problem_is_named_and_nothing_is_written(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    wrong = RECIPE.replace("column: zip", "column: zpi").replace(
        "[name]}\n  - {method: gen", "[nam]}\n  - {method: gen"
    )
    (tmp_path / "recipe.yaml").write_text(wrong, encoding="utf-8")
    before = sorted(tmp_path.iterdir())
    result = cli("check", tmp_path / "recipe.yaml", data, "--json")
    assert result.code == 2
    assert json.loads(result.out)["error"]["where"].startswith("steps.0")
    problems = json.loads(result.out)["problems"]
    assert len(problems) == 2
    assert "Did you mean 'zip'?" in problems[1]
    assert sorted(tmp_path.iterdir()) == before


def test_values_a_hierarchy_lacks_are_found_beyond_the_records_tried(
    cli: Cli, tmp_path: Path
) -> None:
    frame = pl.DataFrame({"town": ["a"] * 30_000 + ["z"]})
    frame.write_csv(tmp_path / "towns.csv")
    (tmp_path / "recipe.yaml").write_text(
        "undeclared: keep\nsteps: [{method: generalize, column: town, level: 1, "
        "hierarchy: {hierarchy: tree, tree: {west: [a, b]}}}]\n",
        encoding="utf-8",
    )
    result = cli("check", tmp_path / "recipe.yaml", tmp_path / "towns.csv")
    assert result.code == 2
    assert "steps.0.generalize" in result.err


def test_with_json_a_mistake_is_one_object(cli: Cli, data: Path, tmp_path: Path) -> None:
    (tmp_path / "recipe.yaml").write_text(
        RECIPE.replace("columns: [name]", "columns: [nmae]"), encoding="utf-8"
    )
    result = cli("run", tmp_path / "recipe.yaml", data, "--out", tmp_path / "o.csv", "--json")
    assert result.code == 2
    error = json.loads(result.out)["error"]
    assert error["kind"] == "ColumnError"
    assert error["where"] == "steps.0.drop"
    assert "nmae" in error["message"]
    assert "Did you mean 'name'?" in error["remedy"]


def test_what_the_data_do_not_allow_is_no_mistake_of_the_caller(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    (tmp_path / "recipe.yaml").write_text(
        RECIPE.replace("suppress_records, k: 2", "suppress_records, k: 5, max_share: 0.0001"),
        encoding="utf-8",
    )
    result = cli("run", tmp_path / "recipe.yaml", data, "--out", tmp_path / "o.csv", "--json")
    assert result.code == 3
    assert json.loads(result.out)["error"]["kind"] == "GoalNotReachedError"
    assert not (tmp_path / "o.csv").exists()
