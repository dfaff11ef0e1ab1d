from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.files.placing import Placing
from microveil.metadata.model import Metadata
from microveil.metadata.writing import FORMATS, metadata_files, write_metadata


def test_a_folder_gets_every_format(told: Metadata, tmp_path: Path) -> None:
    paths = write_metadata(told, tmp_path / "about")
    assert [path.name for path in paths] == list(FORMATS)
    assert all(path.read_text(encoding="utf-8") for path in paths)


def test_a_suffix_says_the_format(told: Metadata, tmp_path: Path) -> None:
    (path,) = write_metadata(told, tmp_path / "panel.xml")
    assert "codeBook" in path.read_text(encoding="utf-8")


def test_an_unknown_suffix_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(mv.InputError, match="name a folder for all of them"):
        metadata_files(tmp_path / "panel.docx")


def test_they_appear_with_everything_else_or_not_at_all(told: Metadata, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Placing() as placing:  # noqa: PT012  both in the block
        write_metadata(told, tmp_path, placing)
        raise RuntimeError
    assert not list(tmp_path.glob("*.xml"))
