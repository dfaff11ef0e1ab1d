from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Cli


def test_a_folder_is_checked_as_one(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "o"
    folder.mkdir()
    (folder / "a.csv").write_text("age,m\nyoung,50\nold,40\n")
    passed = cli("outputs", "check", folder, "--json")
    assert (passed.code, json.loads(passed.out)["verdict"]) == (0, "pass")
    (folder / "b.csv").write_text("age,m\nyoung,52\nold,40\n")
    failed = cli("outputs", "check", folder)
    assert failed.code == 3
    assert "m × young" in failed.err
    assert "differencing" in failed.err


def test_limits_are_named(cli: Cli, tmp_path: Path) -> None:
    wrong = cli("outputs", "check", tmp_path, "--appetite", "accro")
    assert (wrong.code, "No risk appetite" in wrong.err) == (2, True)


def test_outputs_that_pass_are_noted_and_later_ones_compared(cli: Cli, tmp_path: Path) -> None:
    registry = ("--registry", tmp_path / "r.db", "--registry-key", tmp_path / "r.key")
    assert cli("releases", "create", *registry).code == 0
    folder = tmp_path / "o"
    folder.mkdir()
    (folder / "a.csv").write_text("age,m\nyoung,50\nold,40\n")
    own = (*registry, "--source", "survey")
    noted = cli("outputs", "check", folder, *own, "--note", "--json")
    assert (noted.code, bool(json.loads(noted.out)["registered"]["id"])) == (0, True)
    assert cli("releases", "verify", folder / "a.csv", *registry[:2]).code == 0
    (folder / "a.csv").write_text("age,m\nyoung,52\nold,40\n")
    failed = cli("outputs", "check", folder, *own, "--note")
    assert (failed.code, "differs by fewer than 10" in failed.err) == (3, True)
    listed = json.loads(cli("releases", "list", *registry[:2], "--json").out)["releases"]
    assert [one["kind"] for one in listed] == ["outputs"]


def test_nothing_is_noted_without_a_registry(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,m\nyoung,50\nold,40\n")
    wrong = cli("outputs", "check", tmp_path, "--note")
    assert (wrong.code, "needs a --registry" in wrong.err) == (2, True)
