from __future__ import annotations

import io
import json
from pathlib import Path

import polars as pl
import pytest

from microveil.cli.logs import wants_json_lines
from microveil.cli.progress_lines import ProgressLines
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
    lines = [json.loads(line) for line in result.err.splitlines()]
    assert (lines[0]["event"], lines[-1]["event"]) == ("start", "end")
    assert lines[0]["command"] == lines[-1]["command"] == command
    assert lines[-1]["seconds"] >= 0
    assert not any(name in result.err for name in patients["name"])


def test_a_failure_is_logged_as_one(cli: Cli, data: Path) -> None:
    result = cli("risk", data, "-q", "nowhere", "-v")
    assert result.code == 2
    assert "end command=risk outcome=failed" in result.err


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("-q", "nowhere"), "ColumnError"),
        (("--nonsense",), "UsageError"),
        (("-q", "age", "--fail-if", "k<500"), "RequirementNotMetError"),
    ],
)
@pytest.mark.parametrize("asked", ["--log json", "--log=json", "MICROVEIL_LOG"])
def test_a_mistake_is_a_json_line_too(
    cli: Cli,
    data: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    kind: str,
    asked: str,
) -> None:
    if asked == "MICROVEIL_LOG":
        monkeypatch.setenv(asked, "json")
    result = cli("risk", data, *words, *(asked.split() if asked.startswith("--") else ()))
    lines = [json.loads(line) for line in result.err.splitlines()]
    assert (lines[-1]["event"], lines[-1]["level"]) == ("message", "error")
    assert (lines[-1]["kind"], lines[-1]["exit_code"]) == (kind, result.code)
    assert lines[-1]["message"]


def test_progress_is_a_json_line_if_these_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ProgressLines(io.StringIO())
    lines(3, 10, "mondrian")
    assert lines.line().startswith("microveil: mondrian, 30%")
    monkeypatch.setenv("MICROVEIL_LOG", "json")
    told = json.loads(lines.line())
    assert (told["event"], told["what"], told["done_share"]) == ("progress", "mondrian", 0.3)


def test_the_last_word_on_the_form_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROVEIL_LOG", "json")
    assert wants_json_lines()
    monkeypatch.setattr("sys.argv", ["microveil", "risk", "--log", "text"])
    assert not wants_json_lines()
    monkeypatch.setattr("sys.argv", ["microveil", "risk", "--log", "text", "--log=json"])
    assert wants_json_lines()


def test_phases_are_logged_with_their_duration(cli: Cli, data: Path) -> None:
    assert "phase name=" in cli("risk", data, *KEYS, "--verbose").err
    assert "phase" not in cli("risk", data, *KEYS).err, "nothing unless asked for"
