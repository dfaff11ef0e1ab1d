from __future__ import annotations

import json
from pathlib import Path

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
