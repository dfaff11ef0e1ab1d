from __future__ import annotations

import stat
from contextlib import suppress
from pathlib import Path

import pytest

import microveil as mv
from microveil.registry.database import Database


def test_a_new_file_is_its_owners_alone_and_made_once(tmp_path: Path) -> None:
    one = Database(tmp_path / "r.db")
    one.create()
    one.create()
    one.check_version()
    assert stat.S_IMODE((tmp_path / "r.db").stat().st_mode) == 0o600


def test_another_address_and_another_database_are_refused(tmp_path: Path) -> None:
    with pytest.raises(mv.InputError, match="SQLite file"):
        Database("mysql://host/db")
    Path(tmp_path / "empty.db").touch()
    with pytest.raises(mv.FileError, match="no registry of releases"):
        Database(tmp_path / "empty.db").check_version()
    with pytest.raises(mv.FileError, match="cannot be written"):
        Database(tmp_path / "no" / "r.db").create()


def test_a_password_is_not_shown() -> None:
    assert Database("postgresql://me:secret@host/db?x=1").shown == "postgresql://host/db"


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    one = Database(f"sqlite:///{tmp_path}/r.db")
    one.create()
    with suppress(ZeroDivisionError), one.writing() as connection:
        connection.execute("INSERT INTO registry_facts VALUES ('x', 'y')")
        raise ZeroDivisionError
    with one.reading() as connection:
        assert len(connection.rows("SELECT * FROM registry_facts")) == 1
