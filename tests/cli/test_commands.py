from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.cli.conftest import Cli


def test_risk_reports_what_the_contract_promises(cli: Cli, data: Path) -> None:
    plain = json.loads(cli("risk", data, "-q", "age,sex,zip", "-s", "disease", "--json").out)
    assert (plain["n_records"], plain["n_classes"], plain["k"], plain["n_unique"]) == (6, 6, 1, 6)
    assert plain["acceptable_k"] == 10
    assert len(plain["worst"]) == 5
    assert set(plain["worst"][0]) == {"size", "share", "values"}
    assert plain["worst"][0]["share"] == pytest.approx(1 / 6)
    assert plain["models"]["k_anonymity"] == 1


def test_risk_lists_unique_rows_when_k_is_one(cli: Cli, data: Path) -> None:
    result = cli("risk", data, "-q", "age", "-q", "sex")
    assert "Unique rows" in result.out
    assert "too small: 10 is acceptable here" in result.out


def test_the_acceptable_k_can_be_overridden(cli: Cli, data: Path) -> None:
    out = cli("risk", data, "-q", "sex", "--acceptable-k", "100=3", "--json").out
    plain = json.loads(out)
    assert (plain["acceptable_k"], plain["acceptable"]) == (3, True)


def test_fewer_worst_classes_where_there_are_fewer(cli: Cli, data: Path) -> None:
    assert len(json.loads(cli("risk", data, "-q", "sex", "--json").out)["worst"]) == 2


def test_inspect_suggests_roles_with_reasons(cli: Cli, data: Path) -> None:
    plain = json.loads(cli("inspect", data, "--json").out)
    assert [column["name"] for column in plain["columns"]] == pl.read_csv(data).columns
    assert "age" in plain["roles"]["quasi_identifiers"]
    assert cli("inspect", data).code == 0


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


def test_list_names_every_registered_thing(cli: Cli) -> None:
    plain = json.loads(cli("list", "--json").out)
    assert {entry["name"] for entry in plain["methods"]} == set(mv.METHODS.classes)
    assert {entry["name"] for entry in plain["models"]} == set(mv.MODELS.classes)
    result = cli("list", "methods")
    assert result.code == 0
    assert "pseudonymize" in result.out


def test_schema_is_a_json_schema(cli: Cli) -> None:
    plain = json.loads(cli("schema").out)
    assert plain["$schema"].startswith("https://json-schema.org/")
    assert set(plain["properties"]) >= {"roles", "steps", "require"}


def test_hierarchies_are_built_shown_and_checked(cli: Cli, data: Path, tmp_path: Path) -> None:
    out = tmp_path / "age.csv"
    arguments = ("hierarchy", "build", "intervals", data, "-c", "age", "-p", "width=10")
    built = cli(*arguments, "--out", out, "--json")
    assert built.code == 0, built.err
    assert json.loads(built.out)["n_levels"] >= 3
    assert cli("hierarchy", "show", out).code == 0
    assert cli("hierarchy", "check", out, data, "-c", "age").code == 0
    refused = cli("hierarchy", "check", out, data, "-c", "sex")
    assert refused.code == 2
    assert "2 distinct values" in refused.err


def test_the_demo_runs_end_to_end(cli: Cli, tmp_path: Path) -> None:
    result = cli("demo", "--out", tmp_path / "demo", "--rows", "3000")
    assert result.code == 0, result.err
    made = {path.name for path in (tmp_path / "demo").iterdir()}
    assert made == {"views.csv", "released.csv", "recipe.yaml", "report.html"}
    assert "Disclosure risk" in result.out


def test_an_example_is_written_with_its_recipe(cli: Cli, tmp_path: Path) -> None:
    out, recipe = tmp_path / "views.xlsx", tmp_path / "views.yaml"
    assert cli("example", "ad_views", "--rows", "50", "--out", out, "--recipe", recipe).code == 0
    assert mv.read(out).height == 50
    assert mv.Recipe.read(recipe).steps


def test_help_has_an_example_for_each_command_that_reads_data(cli: Cli) -> None:
    for command in ("risk", "run", "inspect", "compare"):
        assert "Example" in cli(command, "--help").out


def test_without_a_terminal_and_a_command_help_is_printed(cli: Cli) -> None:
    result = cli()
    assert result.code == 0
    assert "Usage" in result.out


def test_the_version_is_told(cli: Cli) -> None:
    assert cli("--version").out == f"microveil {mv.__version__}\n"


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = (
        "numba",
        "pandas",
        "pyarrow",
        "scipy",
        "sklearn",
        "opendp",
        "pyspark",
        "nicegui",
        "altair",
    )
    code = (
        f"import microveil.cli, microveil.app, sys; print([m for m in {heavy} if m in sys.modules])"
    )
    out = subprocess.run(  # noqa: S603  our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert out.strip() == "[]"


def test_risk_answers_all_three_questions(cli: Cli, data: Path) -> None:
    arguments = ("risk", data, "-q", "age,sex", "-s", "disease")
    plain = json.loads(cli(*arguments, "--json").out)
    assert [one["question"] for one in plain["verdicts"]] == [
        "singling out",
        "linkability",
        "inference",
    ]
    assert "unknown" not in {one["level"] for one in plain["verdicts"]}
    assert plain["measures"]["individual_risk"]["value"] > 0
    told = cli(*arguments).out
    assert "Not measured: population_risk" in told
    assert "special_uniques" in told


def test_risk_takes_measures_by_name_and_a_weight(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    pl.DataFrame({"sex": ["f", "f", "m"], "w": [10.0, 5.0, 20.0]}).write_csv(path)
    arguments = ("risk", path, "-q", "sex", "--weight", "w", "--json", "--measures")
    found = json.loads(cli(*arguments, "individual_risk,population_risk").out)
    assert set(found["measures"]) == {"individual_risk", "population_risk"}
    assert "measures" not in json.loads(cli(*arguments, "none").out)
    refused = cli(*arguments, "individual_risc")
    assert refused.code == 2
    assert json.loads(refused.out)["error"]["remedy"] == "Did you mean 'individual_risk'?"
    assert "Did you mean 'individual_risk'" in refused.err
    refused = cli(*arguments, "record_linkage")
    assert refused.code == 2
    assert "use compare" in refused.err


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


@pytest.mark.parametrize("text", ["q,s\n", "q,s\nCELL,1\n", "q,s\n,\n,\n", "q,s\nnan,inf\n1,\n"])
def test_odd_files_are_measured_without_a_traceback(cli: Cli, tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.csv"
    path.write_text(text, encoding="utf-8")
    for command in (("risk", path), ("compare", path, path)):
        result = cli(*command, "-q", "q", "-s", "s", "--json")
        assert result.code in (0, 2)
        assert "Traceback" not in result.err
        assert "CELL" not in result.err
        if result.code == 0:
            verdicts = json.loads(result.out)["verdicts"]
            assert "CELL" not in json.dumps(verdicts)
