from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.tabulation.plan import TablePlan, table_plan_schema

TEXT = """
tables:
  - {by: [town, sex]}
rules: [{rule: threshold, n: 4}, {rule: zeros}]
protect: {protection: suppress, cost: cells}
statuses: [{cell: {town: b}, status: safe}]
"""


def test_a_file_says_what_python_says(tmp_path: Path) -> None:
    (tmp_path / "tables.yaml").write_text(TEXT)
    plan = TablePlan.read(tmp_path / "tables.yaml")
    assert TablePlan.from_yaml(plan.to_yaml()).to_dict() == plan.to_dict()
    assert plan.to_dict()["rules"] == [{"rule": "threshold", "n": 4}, {"rule": "zeros"}]
    frame = {"town": list("aaaaabbbbb"), "sex": list("ffmmmfffff")}
    made = plan.make(frame)
    assert made.rules == (mv.Threshold(n=4), mv.Zeros())
    assert {"tables", "rules", "protect"} <= set(table_plan_schema()["properties"])


@pytest.mark.parametrize("text", ["[1]", "tables: []", "tables: [{by: [a]}]\nrule: 3"])
def test_a_bad_file_is_refused(text: str) -> None:
    with pytest.raises(mv.SpecError):
        TablePlan.from_yaml(text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match=r"no\.yaml"):
        TablePlan.read(tmp_path / "no.yaml")


def test_the_plan_of_the_worked_case_is_the_example() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "gallery" / "workbook.md").read_text(encoding="utf-8")
    shown = page.partition("```yaml\n")[2].partition("```")[0]
    example = TablePlan.read(root / "examples" / "tables.yaml")
    assert TablePlan.from_yaml(shown).to_dict() == example.to_dict()
