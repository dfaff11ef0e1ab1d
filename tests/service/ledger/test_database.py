from __future__ import annotations

import threading
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import text

from microveil.errors import FileError, InputError
from microveil.service.ledger.audit import audit
from microveil.service.ledger.database import Database, revision, upgrade
from microveil.service.ledger.ledger import REVISION, Ledger
from microveil.service.ledger.steps import Question, Reserve, SetCaps, Sharing


def test_upgrading_twice_changes_nothing(ledger: Ledger) -> None:
    upgrade(ledger.database)
    assert revision(ledger.database) == REVISION


def test_processes_that_start_together_make_the_tables_once(url: str) -> None:
    problems: list[BaseException] = []

    def start() -> None:
        try:
            Ledger.open(url, create=True).close()
        except BaseException as error:  # noqa: BLE001  the main thread looks at it
            problems.append(error)

    threads = [threading.Thread(target=start) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with Ledger.open(url) as ledger, ledger.view() as view:
        assert view.head()[0] == 0


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


def test_a_ledger_of_the_first_version_goes_on_after_its_upgrade(ledger: Ledger, url: str) -> None:
    ledger.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
    asked = Question("survey", "v1", "ann", "health", "count")
    ledger.do(Reserve(asked, {"data:survey": {"epsilon": Fraction(1, 10)}}))
    with ledger.database.writing() as connection:
        connection.execute(text("DROP TABLE families"))
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    with pytest.raises(FileError, match="serve upgrade"):
        Ledger.open(url)
    upgrade(ledger.database)
    with Ledger.open(url) as again:
        assert again.balances("data:survey")["epsilon"].spent == Fraction(1, 10)
        other = Question("survey", "v1", "ann", "health", "young")
        price = {"data:survey": {"epsilon": Fraction(1, 10)}}
        again.do(Reserve(other, price, sharing=Sharing("age < 10")))
        assert audit(again).holds
