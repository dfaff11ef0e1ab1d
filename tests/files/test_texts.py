from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.errors import SpecError
from microveil.files.texts import make_folder, parsed_yaml, read_text, write_text


@pytest.mark.parametrize(
    "text",
    [
        "!!int x",
        "a: !!float x",
        "!!timestamp x",
        "!!bool x",
        "9" * 5000,
        "2020-13-45",
        "a: 2020-02-31",
        "[" * 5000 + "]" * 5000,
        "{a: " * 3000 + "}" * 3000,
        "\n".join("  " * n + "a:" for n in range(1500)),
        "!!python/object:os.system x",
    ],
)
def test_yaml_that_no_reader_takes_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(mv.SpecError, match="Not valid YAML"):
        mv.Recipe.from_yaml(text)
    with pytest.raises(mv.SpecError, match=r"^file\.yaml: Not valid YAML"):
        parsed_yaml(text, "file.yaml")


def test_text_is_written_as_it_is_and_a_failure_keeps_the_old(tmp_path: Path) -> None:
    target = tmp_path / "recipe.yaml"
    write_text("é: 1\r\nb: 2\n", target)
    assert target.read_bytes() == "é: 1\r\nb: 2\n".encode()
    with pytest.raises(UnicodeEncodeError):
        write_text("a lone surrogate \ud800", target)
    assert target.read_bytes() == "é: 1\r\nb: 2\n".encode()
    assert [one.name for one in tmp_path.iterdir()] == ["recipe.yaml"]


def test_where_yaml_is_invalid_is_told_by_line_alone() -> None:
    with pytest.raises(SpecError, match="line 2, column 5") as caught:
        parsed_yaml("a: 1\nb: c: SECRET\n")
    assert "SECRET" not in str(caught.value)


def test_a_text_file_that_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("año: 1".encode("latin-1"))
    with pytest.raises(mv.FileError, match="Save the file as UTF-8"):
        read_text(latin)
    with pytest.raises(mv.FileError, match=r"gone\.yaml: cannot be read \(No such file"):
        read_text(tmp_path / "gone.yaml")


def test_a_folder_is_made_or_the_place_is_named(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a" / "b").is_dir()
    taken = tmp_path / "file"
    taken.touch()
    with pytest.raises(mv.FileError, match="no folder can be made there"):
        make_folder(taken)
