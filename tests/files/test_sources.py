from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError
from microveil.files import read, write
from microveil.files.sources import (
    choose_columns,
    existing,
    reading,
    refuse,
    refuse_infinite,
    refuse_large,
)

FRAME = pl.DataFrame({"x": range(9), "s": ["a", "b", "c"] * 3})


@pytest.mark.parametrize("name", ["~nosuchuser/x.csv", "~$data.csv", "~nosuchuser/x.db"])
def test_a_tilde_that_is_nobodys_home_is_a_sign(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(mv.FileError, match="No file ~"):
        read(name)
    if "/" not in name:
        write(FRAME, name)
        assert read(name).height == FRAME.height
    else:
        with pytest.raises(mv.FileError, match="no folder ~nosuchuser"):
            write(FRAME, name, table="t" if name.endswith("db") else None)
    with pytest.raises(mv.FileError, match="cannot be read"):
        mv.Recipe.read("~nosuchuser/recipe.yaml")


@pytest.mark.parametrize("name", ["x" * 5000 + ".csv", "a/" * 2500 + "x.csv", "é" * 130 + ".csv"])
def test_a_name_that_no_file_can_have_is_told_and_shortened(name: str, tmp_path: Path) -> None:
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["x"]))
    write(FRAME, tmp_path / "in.csv")
    for call in (
        lambda: read(tmp_path / name),
        lambda: write(FRAME, tmp_path / name),
        lambda: mv.Recipe.read(tmp_path / name),
        lambda: mv.run_file(recipe, tmp_path / "in.csv", tmp_path / name),
        lambda: read(f"sqlite:///{tmp_path / name}?table=t"),
    ):
        with pytest.raises(mv.FileError, match="too long for a file") as caught:
            call()
        assert len(str(caught.value)) < 400


def test_a_long_query_is_no_long_name(tmp_path: Path) -> None:
    write(FRAME, tmp_path / "d.db", table="t")
    query = f"SELECT x FROM t WHERE s IN ({', '.join(['1'] * 2000)}) OR x < 3"  # noqa: S608  ours
    assert read(f"sqlite:///{tmp_path / 'd.db'}", query=query).height == 3
    assert read(f"sqlite:///{tmp_path / 'd.db'}?query={query}").height == 3


def test_a_path_with_a_zero_character_is_refused() -> None:
    with pytest.raises(mv.FileError, match="zero character"):
        read("a\0b.csv")


def test_a_missing_file_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("a\n1\n")
    (tmp_path / "zip.csv").touch()
    with pytest.raises(FileError, match=r"No file .*nope\.csv\.$"):
        mv.read(tmp_path / "nope.csv")
    with pytest.raises(FileError, match=r"No file .*patient\.csv\. Did you mean 'patients\.csv'"):
        read(tmp_path / "patient.csv")
    with pytest.raises(FileError, match=r"The folder .* does not exist either"):
        read(tmp_path / "no" / "patients.csv")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        read(tmp_path / "t.parquet")


@pytest.mark.parametrize("name", ["t.parquet", "t.jsonl", "t.xlsx", "t.sav", "t.csv"])
def test_empty_files_are_told(name: str, tmp_path: Path) -> None:
    (tmp_path / name).touch()
    with pytest.raises(FileError, match="is empty"):
        read(tmp_path / name)


def test_columns_are_chosen_in_the_order_asked() -> None:
    assert choose_columns(["a", "b", "c"], None, "x.csv") == ["a", "b", "c"]
    assert choose_columns(["a", "b", "c"], ["c", "a"], "x.csv") == ["c", "a"]
    with pytest.raises(mv.ColumnError, match=r"No column 'agee' in x\.csv. Did you mean 'age'"):
        choose_columns(["age", "sex"], ["agee"], "x.csv")


def test_what_a_flat_format_cannot_hold_is_refused_by_column() -> None:
    frame = pl.DataFrame({"a": [[1]], "b": [b"x"], "c": [2**53 + 1], "d": [float("inf")]})
    with pytest.raises(mv.FileError, match="X cannot hold column 'a', 'b'"):
        refuse(frame, "X")
    refuse(frame.select("c", "d"), "X")
    with pytest.raises(mv.FileError, match="the 1 whole numbers beyond 9,007,199,254,740,992"):
        refuse_large(frame, "X", 2**53)
    refuse_large(frame, "X", 2**53 + 1)
    with pytest.raises(mv.FileError, match="the 1 infinite numbers in column 'd'"):
        refuse_infinite(frame, "X")


def test_a_readers_failure_is_told_without_its_words() -> None:
    with pytest.raises(mv.FileError, match=r"x\.sav cannot be read as SPSS \(ValueError\)") as told:  # noqa: SIM117  one thing is raised
        with reading("x.sav", "SPSS"):
            raise ValueError("cell SECRET")
    assert "SECRET" not in str(told.value)
    with pytest.raises(KeyboardInterrupt), reading("x.sav", "SPSS"):
        raise KeyboardInterrupt


def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.csv")
    with pytest.raises(FileError, match="is a pipe or a device"):
        existing(tmp_path / "a.csv")


def test_the_same_name_with_another_ending_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "may.csv").write_text("a\n1\n")
    with pytest.raises(FileError, match=r"No file .*may\.parquet\. Did you mean 'may\.csv'"):
        existing(tmp_path / "may.parquet")
