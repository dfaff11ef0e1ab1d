from __future__ import annotations

import pytest
from sqlalchemy import text

from microveil.errors import FileError
from microveil.registry.chain import next_entry
from microveil.service.ledger.audit import audit, summary
from microveil.service.ledger.database import Database, upgrade
from microveil.service.ledger.ledger import REVISION, Ledger
from microveil.service.ledger.migrations.versions import families, sealed_rows


def test_it_follows_the_families_and_is_the_last() -> None:
    assert sealed_rows.down_revision == families.revision
    assert sealed_rows.revision == REVISION


def _old_ledger(url: str) -> None:
    """A ledger as the version before wrote it: rows and families without seals."""
    from alembic import command
    from alembic.config import Config

    database = Database(url)
    config = Config()
    config.set_main_option("script_location", "microveil.service.ledger:migrations")
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        entry = next_entry(None, "then", "caps", {"account": "data:t", "caps": {"epsilon": "1"}})
        row = {name: value for name, value in entry.__dict__.items() if name != "signature"}
        connection.execute(
            text("INSERT INTO ledger_entries VALUES (:seq, :at, :kind, :body, :previous, :hash)"),
            row,
        )
        connection.execute(text("UPDATE ledger_head SET seq = 1, hash = :hash"), row)
        for statement in (
            "INSERT INTO balances VALUES ('data:t', 'epsilon', '1', '0')",
            "INSERT INTO families VALUES ('data:t', 1, 'v', '[]', 1)",
            "INSERT INTO analysts VALUES ('ann', 'ann')",
            "INSERT INTO data_sets VALUES ('t', '/t.csv', 'f', '{}', '{}', NULL, 'open')",
        ):
            connection.execute(text(statement))
    database.close()


def test_an_older_ledger_is_upgraded_and_sealed(url: str) -> None:
    _old_ledger(url)
    with pytest.raises(FileError, match="serve upgrade"):
        Ledger.open(url)
    database = Database(url)
    upgrade(database)
    upgrade(database)
    database.close()
    with Ledger.open(url) as ledger:
        found = audit(ledger)
        assert found.holds, found.problems
        assert (found.n_entries, found.sealed_from) == (2, 2)
        assert "from entry 2 on" in summary(found)
        with ledger.view() as view:
            assert view.families("data:t", 0) == []
            assert view.balances("data:t")["epsilon"].cap == 1
        with ledger.database.writing() as connection:
            connection.execute(text("UPDATE analysts SET asker_group = 'other'"))
        assert "Analysts changed" in audit(ledger).problems[0]
