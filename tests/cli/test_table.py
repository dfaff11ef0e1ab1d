from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

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


_CELLS = "tables: [{by: [town], cells: {count: n, total: v}}]"
_CODES = "tables: [{by: [town], hierarchies: {town: {hierarchy: file, path: h.csv}}}]"
_FORCED = (
    "tables: [{by: [town]}]\nstatuses: [{cell: {town: a}, status: published}, "
    "{cell: {town: a}, status: suppressed}]"
)
BAD = {
    "a cycle": (_CODES, "town\na\nb\n", "Code 'a' of variable 'town' stands above itself"),
    "a code at two places": (_CODES, "town\nc\nd\n", "Code 'd' of variable 'town' stands at two"),
    "a code too many": (_CODES, "town\nx\ny\nz\n", "has the code 'z', which the hierarchy"),
    "no sum": (
        _CELLS,
        "town,n,v\nTotal,9,9\na,5,5\nb,4,3\n",
        "1 sum does not add up, that of Total",
    ),
    "more people than parts": (_CELLS, "town,n,v\nTotal,9,9\na,4,5\nb,4,4\n", "Cell Total cannot"),
    "fewer people than a part": (
        _CELLS,
        "town,n,v\nTotal,3,9\na,4,5\nb,1,4\n",
        "Cell Total cannot",
    ),
    "a negative count": (_CELLS, "town,n,v\na,-5,5\n", "negative count in cell a"),
    "half a person": (_CELLS, "town,n,v\na,5.5,5\n", "no whole number in cell a"),
    "no number": (_CELLS, "town,n,v\na,5,5\nb,5,\n", "no number in cell b"),
    "a cell twice": (
        _CELLS,
        "town,n,v\na,5,5\na,4,5\n",
        "describe a cell twice, the first of them a",
    ),
    "infinity": (
        "tables: [{by: [town], value: v}]",
        "town,v\na,1\nb,inf\n",
        "infinite value in cell b",
    ),
    "no rows": ("tables: [{by: [town]}]", "town,v\n", "no rows"),
    "nobody": (
        "tables: [{by: [town], contributor: firm}]",
        "town,firm\na,x\nb,\n",
        "missing in 1 rows, the first of them in cell b",
    ),
    "the code of the total": ("tables: [{by: [town]}]", "town\nTotal\na\n", "has the code 'Total'"),
    "two statuses": (_FORCED, "town\na\nb\n", "Cell a has two statuses that contradict each other"),
}
_HIERARCHIES = {"a cycle": "a;N;a\nb;M;M\n", "a code at two places": "c;d\nd;N\n"}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_with_the_cell_or_code(
    cli: Cli, tmp_path: Path, case: str
) -> None:
    plan, data, sentence = BAD[case]
    (tmp_path / "t.yaml").write_text(plan, encoding="utf-8")
    (tmp_path / "d.csv").write_text(data, encoding="utf-8")
    (tmp_path / "h.csv").write_text(_HIERARCHIES.get(case, "x;N\ny;N\n"), encoding="utf-8")
    result = cli("table", tmp_path / "t.yaml", tmp_path / "d.csv", "--out", tmp_path / "t.csv")
    assert result.code == 2
    assert sentence in result.err
    assert result.err.count("\n") <= 1
    assert not (tmp_path / "t.csv").exists()
