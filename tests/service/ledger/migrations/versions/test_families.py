"""The second version: families of queries, for ledgers that had none."""

from __future__ import annotations

from fractions import Fraction

import pytest
from sqlalchemy import text

from microveil.errors import FileError
from microveil.service.ledger.audit import audit
from microveil.service.ledger.database import upgrade
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.migrations.versions import families, first_tables
from microveil.service.ledger.steps import Question, Reserve, SetCaps, Sharing


def test_it_follows_the_first_tables() -> None:
    assert families.down_revision == first_tables.revision
    assert families.revision > first_tables.revision


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
