from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.cli.conftest import Cli


def test_compare_lays_risk_beside_utility(cli: Cli, data: Path, tmp_path: Path) -> None:
    released = tmp_path / "released.csv"
    mv.read(data).drop("name").with_columns(age=pl.lit(30)).write_csv(released)
    plain = json.loads(cli("compare", data, released, "-q", "age,sex", "--json").out)
    assert plain["k_before"] == 1
    assert plain["k_after"] == 3
    assert plain["utility"]["cell_changes"] == pytest.approx(2 / 5)
    assert plain["risk"]["class_sizes"] == pytest.approx(1 / 3)
    unpaired = json.loads(
        cli("compare", data, released, "-q", "age,sex", "--shuffled", "--json").out
    )
    assert "cell_changes" in unpaired["skipped"]
    assert cli("compare", data, released, "-q", "age,sex").code == 0


def test_compare_takes_roles_from_a_recipe(cli: Cli, data: Path, recipe: Path) -> None:
    plain = json.loads(cli("compare", data, data, "--recipe", recipe, "--json").out)
    assert plain["k_before"] == plain["k_after"] == 1


def test_compare_takes_measures_a_control_and_a_recipe(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    arguments = ("compare", data, data, "-q", "age,sex", "-s", "disease", "--json")
    some = json.loads(cli(*arguments, "--measures", "il1s,inference", "--control", data).out)
    assert (list(some["risk"]), list(some["utility"])) == (["inference"], ["il1s"])
    assert some["details"]["inference"]["parts"]["against"] == "control"
    recipe = tmp_path / "swap.yaml"
    recipe.write_text(
        "roles: {quasi_identifiers: [age, sex], sensitive: [disease]}\n"
        "steps: [{method: rank_swap, columns: [age], range_share: 0.5}]\n",
        encoding="utf-8",
    )
    marked = json.loads(cli("compare", data, data, "--recipe", recipe, "--json").out)
    assert marked["risk"]["class_sizes"] is None
    assert "rank_swap" in marked["invalid"]["class_sizes"]
    told = cli("compare", data, data, "--recipe", recipe).out
    assert "Not measured: attribute_disclosure, class_sizes" in " ".join(told.split())
    assert cli("compare", data, data, "--recipe", recipe, "-s", "disease").code == 2


def test_a_written_release_is_compared_without_saying_that_rows_were_shuffled(
    cli: Cli, tmp_path: Path
) -> None:
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    frame = pl.DataFrame({"age": [20 + i % 40 for i in range(200)]}).with_columns(
        pay=pl.col("age") * 100, town=(pl.col("age") // 10).cast(pl.String)
    )
    frame.write_csv(before)
    frame.sample(fraction=1, shuffle=True, seed=1).write_csv(after)
    plain = json.loads(cli("compare", before, after, "-q", "age,town", "--json").out)
    assert "a different row order" in plain["notes"][0]
    assert "record_linkage" in plain["skipped"]
    assert "a different row order" in cli("compare", before, after, "-q", "age,town").out
