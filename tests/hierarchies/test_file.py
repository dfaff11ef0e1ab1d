from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from microveil.errors import SpecError
from microveil.hierarchies import File, read_hierarchy, write_hierarchy

ROWS = [("Lyon", "FR", "*"), ("Rome", "IT", "*")]


@pytest.mark.parametrize("name", ["towns.csv", "towns.yaml", "towns.YML", "towns.txt"])
def test_the_ending_says_whether_a_file_is_a_tree_or_a_table(name: str, tmp_path: Path) -> None:
    (tmp_path / "first.csv").write_text("Lyon;FR;*\nRome;IT;*\n", encoding="utf-8")
    write_hierarchy(read_hierarchy(tmp_path / "first.csv"), tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert ("Lyon;FR" in text) is not name.lower().endswith((".yaml", ".yml"))
    assert sorted(read_hierarchy(tmp_path / name).text_rows()) == ROWS


def test_levels_separator_and_spelling_are_said_in_the_recipe(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("town|land|top\nLyon|FR|*\nRome|IT|*\n", encoding="utf-8")
    values = pl.Series("town", ["lyon", "Rome"])
    step = File(path=str(path), separator="|", header=True, ignore=("case",))
    built = step.build(values)
    assert built.names[:2] == ("town", "land")
    assert {row[0]: row[1] for row in built.text_rows()}["lyon"] == "FR"
    path.write_text("Lyon|FR|*\nRome|IT|*\n", encoding="utf-8")
    named = File(path=str(path), separator="|", levels=("a", "b"))
    assert named.build(values).names[:2] == ("a", "b")


def test_a_path_and_a_single_sign_are_needed() -> None:
    with pytest.raises(SpecError, match="path"):
        File.parse({"path": ""})
    with pytest.raises(SpecError, match="separator"):
        File.parse({"path": "a.csv", "separator": ";;"})
