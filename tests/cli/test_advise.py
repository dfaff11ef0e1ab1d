"""`microveil advise` writes recipes that `run` repeats, or says what to relax."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from microveil.cli.program import program
from microveil.errors import InputError
from tests.app.advising.cases import PEOPLE

FEW = PEOPLE.head(120).select("sex", "age", "disease", "cost")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    FEW.write_csv(path)
    return path


def call(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(program, [str(word) for word in words])
    return done.exit_code, done.output


QUICK = ("-q", "sex,age", "-s", "disease", "--time", "600", "--work", "1.5", "--seed", "3")


def test_recipes_figures_and_report_are_written_and_run(data: Path, tmp_path: Path) -> None:
    goal = tmp_path / "goal.yaml"
    goal.write_text("require: [{model: k_anonymity, k: 4}]\n", encoding="utf-8")
    out = tmp_path / "advice"
    code, told = call("advise", data, "--goal", goal, "--out", out, *QUICK, "--json")
    assert code == 0, told
    plain = json.loads(told)
    assert set(plain["offers"]) == {"useful", "safest", "truest"}
    names = {path.name for path in out.iterdir()}
    assert {"useful.yaml", "goal.yaml", "advice.json", "advice.html", "finished"} <= names
    released = tmp_path / "released.csv"
    code, told = call("run", out / "useful.yaml", data, "--out", released, "--seed", "3")
    assert code == 0, told
    assert released.exists()


def test_if_nothing_fits_it_says_what_to_relax(data: Path, tmp_path: Path) -> None:
    goal = tmp_path / "goal.yaml"
    goal.write_text(
        "{require: [{model: k_anonymity, k: 4}], untouched: [age, sex]}", encoding="utf-8"
    )
    code, told = call("advise", data, "--goal", goal, "--out", tmp_path / "advice", *QUICK)
    assert code == 3
    assert "Relax '4-anonymity'" in " ".join(told.split())


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("publik", "There is no goal 'publik'"),
        ("none.yaml", "cannot read the goal"),
    ],
)
def test_mistakes_are_told(data: Path, tmp_path: Path, goal: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        program(
            ["advise", str(data), "--goal", goal, "--out", str(tmp_path / "out"), *QUICK],
            standalone_mode=False,
        )


def test_the_schema_of_goals_is_printed() -> None:
    code, told = call("schema", "--goals")
    assert code == 0
    assert "analyses" in json.loads(told)["properties"]
