from __future__ import annotations

from dataclasses import replace

from sqlalchemy import text

from microveil.service.ledger.audit import audit
from microveil.service.ledger.chain import START, next_entry, seal
from microveil.service.ledger.ledger import Ledger
from tests.service.ledger.cases import tamper


def test_a_chain_cut_off_at_its_end_is_found_by_its_last_seal(used: Ledger) -> None:
    seal = audit(used).seal
    with used.view() as view:
        before = list(view.entries())[-2]
    tamper(used, "DELETE FROM ledger_entries WHERE seq = 8")
    tamper_head = f"UPDATE ledger_head SET seq = 7, hash = '{before.hash}'"  # noqa: S608
    with used.database.writing() as connection:
        connection.execute(text(tamper_head))
        connection.execute(text("DELETE FROM answers WHERE body = 'answer 3'"))
        connection.execute(text("UPDATE reservations SET answer_seq = NULL WHERE seq = 7"))
    assert audit(used).holds
    assert "expected seal" in audit(used, expected=seal).problems[0]


def test_an_entry_seals_all_that_stood_before_it() -> None:
    first = next_entry(None, "2026-01-01", "caps", {"b": 1, "a": 2})
    second = next_entry(first, "2026-01-02", "answer", {})
    assert (first.seq, first.previous, first.body) == (1, START, '{"a":2,"b":1}')
    assert (second.seq, second.previous) == (2, first.hash)
    assert first.sealed
    assert second.sealed
    for change in ({"seq": 3}, {"at": "2026-01-03"}, {"kind": "caps"}, {"body": "{ }"}):
        assert not replace(second, **change).sealed


def test_no_field_can_be_moved_into_its_neighbour() -> None:
    assert seal("a", 1, "b", "cd", "e") != seal("a", 1, "bc", "d", "e")
