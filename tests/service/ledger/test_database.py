from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from microveil.errors import FileError, InputError
from microveil.service.ledger.database import Database, upgrade
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import SetCaps


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/ledger.db")
    with database.writing() as connection:
        assert connection.execute(text("PRAGMA synchronous")).scalar() == 2
        assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
    database.close()


@pytest.mark.parametrize(
    "url", ["mysql://host/db", "sqlite://", "sqlite:///:memory:", "ledger.db", ""]
)
def test_an_address_that_cannot_be_a_ledger_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="must be sqlite:///FILE or postgresql"):
        Ledger.open(url, create=True)


def test_a_ledger_that_is_not_there_is_not_made_by_accident(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="no ledger at"):
        Ledger.open(f"sqlite:///{tmp_path}/none.db")
    assert list(tmp_path.iterdir()) == []


def test_the_password_is_not_told_when_a_server_does_not_answer() -> None:
    with pytest.raises(FileError, match="cannot be used") as caught:
        Ledger.open("postgresql://ann:secretword@127.0.0.1:1/none")
    assert "secretword" not in str(caught.value)


@pytest.mark.parametrize(("found", "advice"), [("0000", "serve upgrade"), ("9999", "Update")])
def test_tables_of_another_version_are_left_alone(
    ledger: Ledger, url: str, found: str, advice: str
) -> None:
    with ledger.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :v"), {"v": found})
    with pytest.raises(FileError, match=advice):
        Ledger.open(url, create=True)


def test_only_its_owner_reads_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with Ledger.open(f"sqlite:///{path}", create=True) as ledger:
        ledger.do(SetCaps("data:t", {}))
        modes = {one.name: one.stat().st_mode & 0o777 for one in tmp_path.iterdir()}
    assert modes["ledger.db"] == 0o600
    assert set(modes.values()) == {0o600}
    path.chmod(0o644)
    upgrade(Database(f"sqlite:///{path}"))
    assert path.stat().st_mode & 0o777 == 0o600
