"""The owner's commands, as they are typed."""

from __future__ import annotations

from tests.cli.serve.cases import ADD
from tests.cli.serve.conftest import Shell


def test_an_audit_that_fails_exits_with_3(shell: Shell) -> None:
    shell(ADD)
    import sqlite3

    with sqlite3.connect("microveil-service/ledger.db") as database:
        database.execute("UPDATE balances SET cap = '99'")
    assert "NOT intact" in shell("audit", code=3)
    assert "expected seal" in shell("audit --expect 00", code=3)
