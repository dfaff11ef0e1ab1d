"""The first version: what is in the ledger stays there, and its head is one row."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import SQLAlchemyError

from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.migrations.versions import first_tables
from microveil.service.ledger.schema import METADATA

CONTENTS = {
    "ledger_entries": "SELECT * FROM ledger_entries ORDER BY seq",
    "answers": "SELECT * FROM answers ORDER BY key",
}


@pytest.mark.parametrize("table", CONTENTS)
def test_entries_and_answers_are_neither_changed_nor_deleted(used: Ledger, table: str) -> None:
    with used.database.reading() as connection:
        before = connection.execute(text(CONTENTS[table])).all()
    assert before
    rows = METADATA.tables[table]
    for statement in (update(rows).values(body=""), delete(rows)):
        with (
            pytest.raises(SQLAlchemyError, match="append-only"),
            used.database.writing() as connection,
        ):
            connection.execute(statement)
    with used.database.reading() as connection:
        assert connection.execute(text(CONTENTS[table])).all() == before


def test_a_new_ledger_begins_with_an_empty_chain(ledger: Ledger) -> None:
    assert (first_tables.revision, first_tables.down_revision) == ("0001", None)
    with ledger.database.reading() as connection:
        heads = connection.execute(text("SELECT id, seq, hash FROM ledger_head")).all()
        entries = connection.execute(text("SELECT count(*) FROM ledger_entries")).scalar()
    assert [tuple(row) for row in heads] == [(1, 0, "0" * 64)]
    assert entries == 0
