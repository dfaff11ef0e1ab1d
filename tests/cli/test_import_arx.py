from __future__ import annotations

import json
from pathlib import Path

import microveil as mv
from tests.app.arx_projects.cases import project
from tests.cli.conftest import Cli


def test_a_project_becomes_a_recipe_and_its_table(cli: Cli, tmp_path: Path) -> None:
    archive = project(tmp_path / "study.deid")
    out, data = tmp_path / "recipe.yaml", tmp_path / "study.csv"
    plain = json.loads(cli("import-arx", archive, "--out", out, "--data", data, "--json").out)
    assert {str(out), str(data)} <= set(plain["written"])
    assert mv.Recipe.read(out).roles.sensitive == ("disease",)
    assert mv.read(data).height == 4
    said = cli("import-arx", archive, "--out", tmp_path / "again.yaml")
    assert said.code == 0
    assert [note for note in plain["notes"] if f"! {note}" not in said.out.replace("\n", " ")] == []


def test_what_is_no_project_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "study.deid"
    path.write_text("no archive", encoding="utf-8")
    result = cli("import-arx", path, "--out", tmp_path / "recipe.yaml")
    assert result.code == 2
    assert not (tmp_path / "recipe.yaml").exists()
