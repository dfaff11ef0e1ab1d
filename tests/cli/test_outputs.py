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
