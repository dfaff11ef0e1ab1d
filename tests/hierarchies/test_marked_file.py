from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.hierarchies import read_hierarchy, write_hierarchy
from microveil.hierarchies.marked_file import parse_marked

HRC = "Nr\n@ 1\n@ 2\nOs \n@ 4\nZd\n"


def test_a_list_with_marks_is_a_hierarchy_and_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "region.hrc"
    path.write_text(HRC, encoding="utf-8")
    found = read_hierarchy(path)
    rows = {row[0]: row[1] for row in found.text_rows()}
    assert rows == {" 1": "Nr", " 2": "Nr", " 4": "Os", "Zd": "*"} or rows["Zd"] == "Zd"
    write_hierarchy(found, tmp_path / "again.hrc")
    assert read_hierarchy(tmp_path / "again.hrc").text_rows() == found.text_rows()


def test_sdchierarchies_total_is_left_out() -> None:
    found = parse_marked("@;Total\n@@;A\n@@@;a1\n@@@;a2\n@@;B\n")
    assert [row[0] for row in found.text_rows()] == ["a1", "a2", "B"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("A\n@@x\n", "'x' in line 2"), ("A\n@B\n@@A\n", "'A' is listed twice")],
)
def test_cycles_and_jumps_name_the_code(text: str, sentence: str) -> None:
    with pytest.raises(mv.InputError, match=sentence):
        parse_marked(text)
