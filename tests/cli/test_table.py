from __future__ import annotations

import json
from pathlib import Path

import polars as pl

from tests.cli.conftest import Cli

PLAN = """
tables: [{by: [town, sex]}]
rules: [{rule: threshold, n: 3}]
"""


def _files(folder: Path, plan: str = PLAN) -> tuple[Path, Path]:
    frame = pl.DataFrame({"town": list("aaaaaabbbbbb"), "sex": list("fffffmffffmm")})
    frame.write_csv(folder / "d.csv")
    (folder / "t.yaml").write_text(plan, encoding="utf-8")
    return folder / "t.yaml", folder / "d.csv"


def test_tables_are_written_with_what_was_lost(cli: Cli, tmp_path: Path) -> None:
    plan, data = _files(tmp_path)
    result = cli("table", plan, data, "--out", tmp_path / "t.xlsx", "--json")
    assert result.code == 0
    told = json.loads(result.out)
    assert told["families"][0]["n_unsafe"] == 2
    assert told["levels"][-1]["n_suppressed"] == 4
    assert (tmp_path / "t.xlsx").exists()


def test_what_cannot_be_protected_writes_nothing(cli: Cli, tmp_path: Path) -> None:
    every = "".join(
        f"  - {{cell: {{town: {town}, sex: {sex}}}, status: published}}\n"
        for town, sex in [("a", "f"), ("b", "f"), ("Total", "f"), ("a", "Total")]
    )
    plan, data = _files(tmp_path, PLAN + "statuses:\n" + every)
    result = cli("table", plan, data, "--out", tmp_path / "t.csv")
    assert result.code == 3
    assert "cannot be protected" in result.err
    assert not (tmp_path / "t.csv").exists()


def test_a_mistake_is_told_in_a_sentence(cli: Cli, tmp_path: Path) -> None:
    plan, data = _files(tmp_path, "tables: [{by: [twon]}]")
    result = cli("table", plan, data, "--out", tmp_path / "t.csv")
    assert (result.code, "Did you mean 'town'" in result.err) == (2, True)
