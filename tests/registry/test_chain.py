from __future__ import annotations

from dataclasses import replace

from microveil.registry.chain import START, next_entry, seal


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
