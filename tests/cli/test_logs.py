from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from tests.cli.conftest import Cli


def test_logs_are_json_lines_without_values(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, patients: pl.DataFrame
) -> None:
    result = cli("run", recipe, data, "--out", tmp_path / "o.csv", "--log", "json", "--json")
    lines = [json.loads(line) for line in result.err.splitlines()]
    assert [line["event"] for line in lines][:: len(lines) - 1] == ["start", "end"]
    assert all({"time", "level", "event"} <= set(line) for line in lines)
    assert not any(name in result.err for name in patients["name"])
    json.loads(result.out)


def test_verbose_logs_lines_for_people(cli: Cli, recipe: Path, data: Path) -> None:
    err = cli("run", recipe, data, "--dry-run", "-v").err
    assert "name=suppress_records seconds=" in err
    assert cli("run", recipe, data, "--dry-run").err == "", "nothing unless asked for"
