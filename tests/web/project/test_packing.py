"""Packages: nothing of them lies elsewhere, and equal folders make equal files."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from microveil.errors import FileError
from microveil.web.project.packing import pack_folder, unpack_files


def _pack(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name in names:
            packed.writestr(name, name)
    return path


def test_a_folder_survives_packing_and_has_no_times(tmp_path: Path) -> None:
    folder = tmp_path / "f"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("a")
    (folder / "deep" / "b.txt").write_text("b")
    one = pack_folder(folder, tmp_path / "1.zip").read_bytes()
    (folder / "a.txt").touch()
    assert pack_folder(folder, tmp_path / "2.zip").read_bytes() == one
    found = unpack_files(tmp_path / "1.zip", tmp_path / "out")
    assert {str(one.relative_to(tmp_path / "out")) for one in found} == {"a.txt", "deep/b.txt"}


@pytest.mark.parametrize("name", ["../x.csv", "/x.csv", "a/../../x.csv", "..\\x.csv", "C:\\x.csv"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    source = _pack(tmp_path / "p.zip", "ok.csv", name)
    unpack_files(source, tmp_path / "out")
    assert {one.name for one in tmp_path.iterdir()} == {"p.zip", "out"}


def test_systems_own_files_and_empty_packages_do_not_count(tmp_path: Path) -> None:
    source = _pack(tmp_path / "p.zip", "__MACOSX/a.csv", ".DS_Store")
    with pytest.raises(FileError, match="no files"):
        unpack_files(source, tmp_path / "out")


def test_two_names_that_become_one_are_refused(tmp_path: Path) -> None:
    source = _pack(tmp_path / "p.zip", "a/x.csv", "b/x.csv")
    assert len(unpack_files(source, tmp_path / "deep")) == 2
    with pytest.raises(FileError, match="Two files"):
        unpack_files(source, tmp_path / "flat", flat=True)


def test_damage_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "p.zip").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(FileError, match="damaged"):
        unpack_files(tmp_path / "p.zip", tmp_path / "out")
