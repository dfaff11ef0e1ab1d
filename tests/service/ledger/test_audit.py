from __future__ import annotations

from fractions import Fraction

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from microveil.service.ledger.audit import audit, summary
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Commit, Granted, Question, Reserve, SetCaps


@pytest.fixture
def used(ledger: Ledger) -> Ledger:
    ledger.do(SetCaps("data:survey", {"epsilon": Fraction(1)}))
    for number in range(4):
        asked = Question("survey", "v1", "ann", "health", f"question {number}")
        granted = ledger.do(Reserve(asked, {"data:survey": {"epsilon": Fraction(1, 10)}}))
        assert isinstance(granted, Granted)
        if number:
            ledger.do(Commit(asked.key, granted.token, f"answer {number}"))
    return ledger


def tamper(ledger: Ledger, statement: str) -> None:
    """Change a table as somebody with the database's password could."""
    drops = {
        "sqlite": [
            f"DROP TRIGGER {table}_no_{verb}"
            for table in ("ledger_entries", "answers")
            for verb in ("update", "delete")
        ],
        "postgresql": [
            f"DROP TRIGGER {table}_append_only ON {table}"
            for table in ("ledger_entries", "answers")
        ],
    }
    with ledger.database.writing() as connection:
        for drop in drops[connection.dialect.name]:
            connection.execute(text(drop))
        connection.execute(text(statement))


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


def test_a_chain_cut_off_at_its_end_is_found_by_its_last_seal(used: Ledger) -> None:
    seal = audit(used).seal
    with used.view() as view:
        before = list(view.entries())[-2]
    tamper(used, "DELETE FROM ledger_entries WHERE seq = 8")
    tamper_head = f"UPDATE ledger_head SET seq = 7, hash = '{before.hash}'"  # noqa: S608
    with used.database.writing() as connection:
        connection.execute(text(tamper_head))
        connection.execute(text("DELETE FROM answers WHERE body = 'answer 3'"))
    assert audit(used).holds
    assert "expected seal" in audit(used, expected=seal).problems[0]


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
