from __future__ import annotations

from pathlib import Path

import pytest

from microveil.errors import FileError
from microveil.hierarchies.text_files import beside, find, read_text


def test_a_file_beside_the_recipe_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("recipe", "here"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "age.csv").write_text(folder, encoding="utf-8")
    (tmp_path / "here" / "only.csv").write_text("only here", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    assert read_text("age.csv") == "here"
    with beside(tmp_path / "recipe"):
        assert read_text("age.csv") == "recipe"
        assert read_text("only.csv") == "only here"
        assert find(tmp_path / "here" / "age.csv").parent.name == "here"
    assert read_text("age.csv") == "here"


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "age.csv").write_bytes(b"\xef\xbb\xbf1;2")
    assert read_text(tmp_path / "age.csv") == "1;2"


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="No hierarchy file"):
        read_text(tmp_path / "nowhere.csv")
    with pytest.raises(FileError, match="cannot be read"):
        read_text(tmp_path)
    (tmp_path / "old.csv").write_bytes(b"Espa\xf1a")
    with pytest.raises(FileError, match="not UTF-8"):
        read_text(tmp_path / "old.csv")
