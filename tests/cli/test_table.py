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


def test_tables_are_noted_in_a_registry_and_recorded(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("town\n" + "a\n" * 20 + "b\n" * 20)
    (tmp_path / "plan.yaml").write_text("tables: [{by: [town]}]\n")
    (tmp_path / "key").write_text("k" * 44)
    where = ("--registry", tmp_path / "r.db", "--registry-key", tmp_path / "key")
    made = cli("releases", "create", *where)
    asked = ("table", tmp_path / "plan.yaml", tmp_path / "data.csv", "--out", tmp_path / "t.csv")
    done = cli(*asked, *where, "--record", tmp_path / "record.json", "--json")
    assert done.code == 0, (made.err, done.err)
    assert "Nothing was published" in json.loads(done.out)["registered"]["sentence"]
    assert cli("verify", tmp_path / "record.json", tmp_path / "t.csv").code == 0
    again = cli(*asked, *where)
    assert "No count differs by few" in " ".join(again.out.split())
    listed = cli("releases", "list", *where[:2])
    assert "tables" in listed.out
