"""`risk` and `compare` take every role, a recipe in their place, and settings of measures."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from tests.cli.conftest import Cli

BLANKING = """
roles: {quasi_identifiers: [sex, town], sensitive: [ill]}
steps: [{method: local_suppression, k: 3, missing: wildcard}]
missing: wildcard
require: [{model: k_anonymity, k: 3}]
"""


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.csv"
    n = 40
    pl.DataFrame(
        {
            "sex": ["f", "m"] * (n // 2),
            "town": [f"t{i % 7}" for i in range(n)],
            "home": [i // 2 for i in range(n)],
            "who": [i // 4 for i in range(n)],
            "w": [10.0] * n,
            "region": ["a", "b", "c", "d"] * (n // 4),
            "ill": ["x", "y", "z", "x"] * (n // 4),
            "pay": [100.0 + i for i in range(n)],
        }
    ).write_csv(path)
    return path


def test_every_role_reaches_the_measures(cli: Cli, survey: Path) -> None:
    arguments = ("risk", survey, "-q", "sex,town", "--json", "--measures", "individual_risk")
    plain = json.loads(cli(*arguments).out)["measures"]["individual_risk"]
    home = json.loads(cli(*arguments, "--household", "home", "--strata", "region").out)
    assert home["measures"]["individual_risk"]["parts"]["n_households"] == 20
    weighted = json.loads(cli(*arguments, "--weight", "w").out)["measures"]["individual_risk"]
    assert weighted["value"] < plain["value"]
    people = json.loads(cli(*arguments, "--entity", "who").out)
    assert people["measures"]["individual_risk"]["parts"]["n_people"] == 10
    both = ("compare", survey, survey, "-q", "sex,town", "--json", "--measures", "individual_risk")
    again = json.loads(cli(*both, "--weight", "w", "--household", "home", "--entity", "who").out)
    assert again["details"]["individual_risk"]["parts"]["n_people"] == 10
    assert cli(*both, "--weight", "wait").code == 2


def test_scenarios_are_named_beside_the_quasi_identifiers(cli: Cli, survey: Path) -> None:
    given = ("risk", survey, "-q", "sex", "--scenario", "neighbour=sex,town", "--json")
    assert list(json.loads(cli(*given).out)["scenarios"]) == ["neighbour"]
    assert "neighbour=age,town" in cli(*given[:4], "--scenario", "sex,town").err


def test_a_recipe_s_missing_keys_are_those_of_run_compare_risk_and_report(
    cli: Cli, survey: Path, tmp_path: Path
) -> None:
    recipe, out, report = (tmp_path / name for name in ("r.yaml", "out.csv", "report.json"))
    recipe.write_text(BLANKING, encoding="utf-8")
    ran = cli(
        *("run", recipe, survey, "--out", out, "--report", report, "--seed", "1", "--json"),
        *("--undeclared", "drop"),
    )
    reached = json.loads(ran.out)["checks"][0]["achieved"]
    compared = json.loads(cli("compare", survey, out, "--recipe", recipe, "--json").out)
    assessed = json.loads(cli("risk", out, "--recipe", recipe, "--json").out)
    told = json.loads(report.read_text())["risk"][0]["after"]
    assert reached == compared["k_after"] == assessed["k"] == told["k"] >= 3
    assert compared["missing"] == assessed["missing"] == told["missing"] == "wildcard"
    strict = json.loads(
        cli("compare", survey, out, "--recipe", recipe, "--missing", "category", "--json").out
    )
    own = json.loads(cli("risk", out, "-q", "sex,town", "--missing", "category", "--json").out)
    assert strict["k_after"] == own["k"] < 3
    for shown in (
        cli("compare", survey, out, "--recipe", recipe).out,
        cli("risk", out, "--recipe", recipe).out,
    ):
        assert "a missing key matches any value" in " ".join(shown.split())


def test_a_file_and_a_table_in_memory_are_compared_alike(cli: Cli, tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"job": ["nurse", "doctor", "cook", "baker"] * 30, "ill": ["x", "y", "z"] * 40}
    )
    frame.write_csv(tmp_path / "in.csv")
    (tmp_path / "jobs.csv").write_text(
        "nurse;health;*\ndoctor;health;*\ncook;food;*\nbaker;food;*\nbutcher;food;*\n"
    )
    recipe = tmp_path / "r.yaml"
    recipe.write_text(
        "roles: {quasi_identifiers: [job], sensitive: [ill]}\n"
        "steps: [{method: generalize, column: job, hierarchy: jobs.csv, level: 1}]\n",
        encoding="utf-8",
    )
    out = tmp_path / "out.csv"
    assert cli("run", recipe, tmp_path / "in.csv", "--out", out, "--seed", "1").code == 0
    made_by = mv.Recipe.read(recipe)
    release = mv.run(made_by, frame)
    memory = mv.compare(frame, release, recipe=made_by)
    plain = json.loads(cli("compare", tmp_path / "in.csv", out, "--recipe", recipe, "--json").out)
    for name in ("generalization_loss", "discernibility", "average_class_size"):
        assert plain["utility"][name] == pytest.approx(memory.utility[name].value), name
    assert plain["risk"]["inference"] == pytest.approx(memory.risk["inference"].value, abs=0.02)
    assert plain["utility"]["generalization_loss"] == pytest.approx(1.5 / 4)
    assert release.utility["generalization_loss"].value == pytest.approx(1.5 / 4)


def test_measures_take_their_settings_wherever_they_are_named(cli: Cli, survey: Path) -> None:
    arguments = ("compare", survey, survey, "-q", "sex,town", "--json", "--measures")
    found = json.loads(cli(*arguments, "prediction:target=ill,il1s:columns=[pay, w]").out)
    assert list(found["utility"]) == ["prediction", "il1s"]
    assert set(found["details"]["il1s"]["parts"]["columns"]) == {"pay", "w"}
    wrong = cli(*arguments, "il1s:colums=[pay]")
    assert wrong.code == 2
    assert "Did you mean 'columns'" in wrong.err
    part = cli(*arguments, "il1s.per_cell")
    assert part.code == 2
    assert "leave out '.per_cell'" in part.err


def test_household_risk_is_printed_where_there_are_households(cli: Cli, survey: Path) -> None:
    arguments = ("risk", survey, "-q", "sex,town", "--measures", "individual_risk")
    assert "household risk" not in cli(*arguments).out
    printed = cli(*arguments, "--household", "home").out
    assert "highest household risk" in printed
    assert "of 20 expected to be found" in printed
