from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from tests.cli.conftest import Cli


def test_inspect_suggests_roles_with_reasons(cli: Cli, data: Path) -> None:
    plain = json.loads(cli("inspect", data, "--json").out)
    assert [column["name"] for column in plain["columns"]] == pl.read_csv(data).columns
    assert "age" in plain["roles"]["quasi_identifiers"]
    assert cli("inspect", data).code == 0


def test_a_file_that_is_not_there_is_named(cli: Cli, tmp_path: Path) -> None:
    result = cli("inspect", tmp_path / "nowhere.csv")
    assert result.code == 2
    assert "nowhere.csv" in result.err


def test_several_tables_are_listed_with_the_links_they_suggest(cli: Cli, tmp_path: Path) -> None:
    pl.DataFrame({"id": [1, 2]}).write_csv(tmp_path / "patients.csv")
    pl.DataFrame({"patient_id": [1, 1]}).write_csv(tmp_path / "visits.csv")
    plain = json.loads(cli("inspect", tmp_path, "--tables", "--json").out)
    assert plain["links"] == ["visits.patient_id -> patients.id"]
    assert plain["tables"]["visits"] == {"n_records": 2, "columns": ["patient_id"]}
    assert "visits.patient_id -> patients.id" in cli("inspect", tmp_path, "--tables").out
