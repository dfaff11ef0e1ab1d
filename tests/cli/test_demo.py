from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli


def test_the_demo_runs_end_to_end(cli: Cli, tmp_path: Path) -> None:
    result = cli("demo", "--out", tmp_path / "demo", "--rows", "3000")
    assert result.code == 0, result.err
    made = {path.name for path in (tmp_path / "demo").iterdir()}
    assert made == {"views.csv", "released.csv", "recipe.yaml", "report.html"}
    assert "Disclosure risk" in result.out
