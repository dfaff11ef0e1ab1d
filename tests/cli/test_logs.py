from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

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


KEYS = ("-q", "age,sex,zip")


@pytest.mark.parametrize("command", ["risk", "compare", "inspect", "fit", "check"])
def test_every_long_command_logs_its_start_and_its_end(
    cli: Cli, recipe: Path, data: Path, tmp_path: Path, patients: pl.DataFrame, command: str
) -> None:
    words: dict[str, tuple[str | Path, ...]] = {
        "risk": (data, *KEYS),
        "compare": (data, data, *KEYS, "--measures", "none"),
        "inspect": (data,),
        "fit": (recipe, data, "--state", tmp_path / "state.yaml"),
        "check": (recipe, data),
    }
    result = cli(command, *words[command], "--log", "json")
    lines = [json.loads(line) for line in result.err.splitlines() if line.startswith("{")]
    assert (lines[0]["event"], lines[-1]["event"]) == ("start", "end")
    assert lines[0]["command"] == lines[-1]["command"] == command
    assert lines[-1]["seconds"] >= 0
    assert not any(name in result.err for name in patients["name"])


def test_a_failure_is_logged_as_one(cli: Cli, data: Path) -> None:
    result = cli("risk", data, "-q", "nowhere", "-v")
    assert result.code == 2
    assert "end command=risk outcome=failed" in result.err


def test_phases_are_logged_with_their_duration(cli: Cli, data: Path) -> None:
    assert "phase name=" in cli("risk", data, *KEYS, "--verbose").err
    assert "phase" not in cli("risk", data, *KEYS).err, "nothing unless asked for"
