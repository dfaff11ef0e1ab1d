"""What tests of the ledger ask of it."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy import text

from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import (
    Commit,
    Granted,
    Question,
    Reserve,
    Stored,
)


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


TENTH = Fraction(1, 10)


def question(text: str, analyst: str = "ann", group: str = "health") -> Question:
    return Question("survey", "v1", analyst, group, text)


def reserve(asked: Question, price: Fraction = TENTH, lease: int = 30_000) -> Reserve:
    accounts = ("data:survey", f"analyst:survey:{asked.analyst}")
    return Reserve(asked, {account: {"epsilon": price} for account in accounts}, lease)


def spent(ledger: Ledger, account: str) -> Fraction:
    return ledger.balances(account)["epsilon"].spent


def ask(ledger: Ledger, text: str, analyst: str = "ann", group: str = "health") -> str:
    asked = question(text, analyst, group)
    granted = ledger.do(reserve(asked))
    assert isinstance(granted, Granted)
    stored = ledger.do(Commit(asked.key, granted.token, f"answer to {text}"))
    assert isinstance(stored, Stored)
    return stored.body
