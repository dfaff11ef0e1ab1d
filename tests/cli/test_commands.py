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
