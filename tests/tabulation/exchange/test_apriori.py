from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv


def test_statuses_are_read_and_written(tmp_path: Path) -> None:
    path = tmp_path / "before.hst"
    path.write_text("Ames;m;u\nTotal;f;p\nBern;m;c;7\nBern;f;s\n", encoding="utf-8")
    found = mv.read_apriori(path, ["town", "sex"])
    assert [one.status for one in found] == ["unsafe", "published", None, "safe"]
    assert found[1].cell == {"sex": "f"}
    assert found[2].cost == 7
    mv.write_apriori(found, tmp_path / "again.hst", ["town", "sex"])
    assert mv.read_apriori(tmp_path / "again.hst", ["town", "sex"]) == found


def test_a_line_without_a_status_is_named(tmp_path: Path) -> None:
    path = tmp_path / "before.hst"
    path.write_text("Ames;m;u\nBern;m\n", encoding="utf-8")
    with pytest.raises(mv.InputError, match="line 2"):
        mv.read_apriori(path, ["town", "sex"])
