from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli


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


def test_a_skeleton_lists_the_values_for_the_owner_to_fill_in(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "sex.csv"
    made = cli("hierarchy", "skeleton", data, "-c", "sex", "--out", out)
    assert made.code == 0, made.err
    assert {line.split(";")[0].split(",")[0] for line in out.read_text().splitlines()} >= {"f", "m"}
    assert cli("hierarchy", "check", out, data, "-c", "sex").code == 0


def test_unlisted_values_are_listed_on_a_terminal_only(
    cli: Cli, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "sex.csv"
    out.write_text("f;*\n", encoding="utf-8")
    words = ("hierarchy", "check", out, data, "-c", "sex", "--show-values")
    refused = cli(*words)
    assert refused.code == 2
    assert "only on a terminal" in refused.err
    assert "\nm" not in refused.out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    shown = cli(*words)
    assert shown.code == 2, "the hierarchy does not fit"
    assert "m" in shown.out.split()
