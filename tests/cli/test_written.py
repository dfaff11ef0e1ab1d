from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Cli


def test_records_and_tables_are_told(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("town,sex\n" + "a,f\nb,m\n" * 9)
    (tmp_path / "r.yaml").write_text(
        "steps: [{method: drop, columns: [sex]}]\nkeep: [town]\ntables: [{by: [town, sex]}]\n"
    )
    done = cli(
        *("run", tmp_path / "r.yaml", tmp_path / "d.csv", "--out", tmp_path / "o.csv"),
        *("--tables", tmp_path / "t.csv"),
    )
    assert done.code == 0, done.err
    assert "18 rows in random order" in done.out.replace("\n", " ")
    assert done.out.replace("\n", "").endswith("s")
    assert (tmp_path / "t.csv").exists()
