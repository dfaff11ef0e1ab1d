from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from microveil.service.ledger.database import revision
from microveil.service.ledger.ledger import REVISION, Ledger
from microveil.service.ledger.schema import METADATA


def test_migrations_lead_to_the_tables_that_the_program_knows(ledger: Ledger) -> None:
    assert revision(ledger.database) == REVISION
    with ledger.database.reading() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, METADATA) == []
