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
