from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from microveil.service.ledger.audit import audit, summary
from microveil.service.ledger.ledger import Ledger
from tests.service.ledger.cases import tamper


def test_an_untouched_ledger_is_whole(used: Ledger) -> None:
    found = audit(used)
    assert (found.n_entries, found.n_reserved, found.n_answered) == (8, 4, 3)
    assert found.holds
    assert summary(found).startswith("The ledger is intact: 8 entries")
    assert audit(used, expected=found.seal).holds


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (
            "UPDATE ledger_entries SET body = replace(body, '1/10', '1/20') WHERE seq = 3",
            "Entry 3 does not follow",
        ),
        ("DELETE FROM ledger_entries WHERE seq = 5", "Entry 6 does not follow"),
        ("DELETE FROM ledger_entries WHERE seq = 8", "The head counts 8"),
        ("UPDATE ledger_entries SET at = 'then' WHERE seq = 2", "Entry 2 does not follow"),
        ("UPDATE balances SET spent = '0'", "The epsilon of data set 'survey' does not"),
        ("UPDATE balances SET cap = '5'", "The epsilon of data set 'survey' does not"),
        ("UPDATE answers SET body = 'nicer' WHERE body = 'answer 2'", "Answers changed"),
        ("DELETE FROM answers WHERE body = 'answer 2'", "Answers changed"),
        (
            "UPDATE reservations SET question = 'other' WHERE question = 'question 1'",
            "Queries changed",
        ),
        ("DELETE FROM reservations WHERE question = 'question 0'", "Queries changed"),
    ],
)
def test_every_change_is_found(used: Ledger, statement: str, complaint: str) -> None:
    tamper(used, statement)
    found = audit(used)
    assert any(problem.startswith(complaint) for problem in found.problems), found.problems
    assert summary(found).startswith("The ledger is NOT intact")


@pytest.mark.parametrize("table", ["ledger_entries", "answers"])
@pytest.mark.parametrize("statement", ["UPDATE {} SET body = 'x'", "DELETE FROM {}"])
def test_the_database_itself_refuses_to_change_the_past(
    used: Ledger, table: str, statement: str
) -> None:
    with (
        pytest.raises(DBAPIError, match="append-only"),
        used.database.writing() as connection,
    ):
        connection.execute(text(statement.format(table)))
    assert audit(used).holds


def test_a_long_ledger_is_read_in_pieces(used: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microveil.service.ledger.view._CHUNK", 3)
    assert audit(used).n_entries == 8
