from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv


def test_a_study_is_read_from_yaml(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("title: Panel\nkeywords: [a, b]\npublished: 2026-01-02\n")
    study = mv.Study.read(path)
    assert study.title == "Panel"
    assert study.keywords == ("a", "b")
    assert study.published is not None
    assert study.published.year == 2026


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("")
    assert mv.Study.read(path) == mv.Study()


def test_a_misspelt_field_is_named(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text("titel: Panel\n")
    with pytest.raises(mv.InputError, match="titel"):
        mv.Study.read(path)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match=r"study\.yaml: cannot read the study"):
        mv.Study.read(tmp_path / "study.yaml")
