"""Migrations run within the caller's transaction, once for all who start together."""

from __future__ import annotations

import runpy
import threading
from pathlib import Path

from sqlalchemy import text

from microveil.service.ledger import migrations
from microveil.service.ledger.database import Database, revision, upgrade
from microveil.service.ledger.ledger import REVISION, Ledger


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


def test_the_last_migration_is_the_version_that_the_program_wants(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/ledger.db")
    upgrade(database)
    with database.reading() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    database.close()
    assert found == [REVISION]


def test_loading_the_file_runs_nothing() -> None:
    # Whatever imports all modules of the package must not touch a database.
    folder = Path(next(iter(migrations.__path__)))
    assert "METADATA" in runpy.run_path(str(folder / "env.py"), run_name="looked_at")
