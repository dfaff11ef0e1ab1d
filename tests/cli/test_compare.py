from __future__ import annotations

import json
from pathlib import Path

import numpy as np
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


@pytest.mark.parametrize("missing", ["category", "wildcard"])
def test_files_and_frames_compare_alike_with_every_role(
    cli: Cli, tmp_path: Path, missing: str
) -> None:
    rng = np.random.default_rng(4)
    person = np.repeat(np.arange(60), 2)
    town = pl.Series(rng.choice(["Ambly", "Brey", "Corme"], 30))
    frame = pl.DataFrame(
        {
            "person": person,
            "home": person // 2,
            "town": town.gather(person // 2),
            "age": rng.integers(20, 70, 60)[person],
            "pay": rng.integers(1, 9, 120) * 100,
            "weight": rng.integers(1, 5, 60)[person] * 1.0,
        }
    )
    recipe = mv.Recipe.from_yaml(
        f"""
        roles: {{quasi_identifiers: [town, age], sensitive: [pay], entity: person, household: home,
                 weight: weight}}
        missing: {missing}
        keep: [person, home, weight]
        steps:
          - {{method: generalize, column: age, hierarchy: {{hierarchy: intervals, width: 10}},
             level: 1}}
        """
    )
    blank = pl.when(pl.int_range(pl.len()) % 11 != 0).then(pl.col("town"))
    released = mv.run(recipe, frame, seed=3).table.frame.with_columns(town=blank)
    frame.write_csv(tmp_path / "original.csv")
    released.write_csv(tmp_path / "released.csv")
    recipe.write(tmp_path / "recipe.yaml")
    words = ("compare", tmp_path / "original.csv", tmp_path / "released.csv")
    result = cli(*words, "--recipe", tmp_path / "recipe.yaml", "--json")
    files = json.loads(result.out)
    frames = mv.compare(frame, released, recipe=recipe).to_dict()
    assert files["missing"] == frames["missing"] == missing
    assert json.loads(json.dumps(frames["risk"])) == files["risk"]
    assert json.loads(json.dumps(frames["utility"])) == files["utility"]
