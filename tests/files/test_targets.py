from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from microveil.errors import FileError
from microveil.files.targets import Target, check_target, refuse_filled, same_place


def database(path: Path, *tables: str) -> Path:
    connection = sqlite3.connect(path)
    for table in tables:
        connection.execute(f"CREATE TABLE {table} (x INTEGER)")
    connection.commit()
    connection.close()
    return path


def test_a_target_that_can_be_written_passes_and_is_not_made(tmp_path: Path) -> None:
    check_target(Target(tmp_path / "a.csv"))
    check_target(Target(tmp_path / "a.anything", text=True))
    check_target(Target(tmp_path / "a.db", {"table": "t"}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("nowhere/a.csv", {}, "nowhere"),
        ("a.what", {}, "a.what"),
        ("a.parquet", {"separator": ";"}, "separator"),
        ("a.db", {}, "Name the table"),
    ],
)
def test_what_cannot_be_written_is_told_in_advance(
    tmp_path: Path, name: str, options: dict[str, str], told: str
) -> None:
    with pytest.raises(FileError, match=told):
        check_target(Target(tmp_path / name, options))
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_exists_is_written_only_on_request(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", "t")
    with pytest.raises(FileError, match="already has a table 't'"):
        check_target(Target(path, {"table": "t"}))
    check_target(Target(path, {"table": "t", "replace": True}))
    check_target(Target(path, {"table": "u"}))


def test_a_link_and_a_roundabout_path_are_the_same_place(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("x\n1\n", encoding="utf-8")
    os.link(file, tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to(file)
    (tmp_path / "sub").mkdir()
    for other in ("hard.csv", "soft.csv", "sub/../a.csv"):
        assert same_place(Target(file), Target(tmp_path / other))
    assert not same_place(Target(file), Target(tmp_path / "b.csv"))
    assert same_place(Target(tmp_path / "new.csv"), Target(tmp_path / "sub/../new.csv"))


def test_tables_of_one_database_are_apart_unless_a_query_may_read_both(tmp_path: Path) -> None:
    path = database(tmp_path / "a.db", "people", "towns")
    people = Target(path, {"table": "people"})
    assert not same_place(people, Target(path, {"table": "towns"}))
    assert same_place(people, Target(path, {"table": "main.People"}))
    assert same_place(people, Target(path, {"query": "select * from PEOPLE"}))
    assert not same_place(people, Target(path, {"query": "select * from towns"}))
    assert same_place(people, Target(path))  # which table is not said
    alone = database(tmp_path / "b.db", "only")
    assert same_place(Target(alone), Target(alone, {"table": "only"}))
    assert not same_place(Target(alone), Target(alone, {"table": "new"}))


def test_only_a_new_or_empty_folder_is_written_into(tmp_path: Path) -> None:
    refuse_filled(tmp_path / "new")
    (tmp_path / "empty").mkdir()
    refuse_filled(tmp_path / "empty")
    (tmp_path / "file").write_bytes(b"")
    for filled in (tmp_path, tmp_path / "file"):
        with pytest.raises(FileError, match="not empty: name a new folder"):
            refuse_filled(filled)
    with pytest.raises(FileError, match="its folder does not exist"):
        refuse_filled(tmp_path / "no" / "out")


def test_a_folder_holds_what_lies_in_it_and_a_file_holds_nothing(tmp_path: Path) -> None:
    folder = Target(tmp_path / "data", folder=True)
    inside = Target(tmp_path / "data" / "a.parquet", text=True)
    assert same_place(folder, inside)
    assert same_place(inside, folder)
    assert same_place(folder, Target(tmp_path / "data", folder=True))
    assert not same_place(folder, Target(tmp_path / "data.html", text=True))
    assert not same_place(Target(tmp_path / "data", text=True), inside)
