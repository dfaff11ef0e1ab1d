from __future__ import annotations

from microveil.registry.auditing import audit_entries
from microveil.registry.chain import next_entry

KEY = b"k" * 32


def test_a_chain_is_followed_and_signatures_are_looked_at() -> None:
    first = next_entry(None, "t", "begun", {"id": "1", "signatures": "s"}, KEY)
    second = next_entry(first, "t", "finished", {"id": "1"}, KEY)
    third = next_entry(second, "t", "begun", {"id": "2", "signatures": None}, KEY)
    whole = audit_entries([first, second, third], {"s": "s"}, KEY)
    assert (whole.n_releases, whole.n_unfinished, whole.holds) == (1, 1, True)
    assert "begun and never written" in whole.sentence()
    assert not audit_entries([first, third], {"s": "s"}, None).holds
    assert not audit_entries([first, second], {"s": "s"}, b"x" * 32).holds
    assert "NOT intact" in audit_entries([first, second], {}, KEY).sentence()
