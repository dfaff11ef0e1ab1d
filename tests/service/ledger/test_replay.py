from __future__ import annotations

from fractions import Fraction
from typing import Any

from microveil.registry.chain import Entry, next_entry
from microveil.service.ledger.replay import Replay


def entries(*kinds: tuple[str, dict[str, Any]]) -> list[Entry]:
    made: list[Entry] = []
    for kind, facts in kinds:
        made.append(next_entry(made[-1] if made else None, "now", kind, facts))
    return made


def paid(key: str, amount: str, **more: Any) -> tuple[str, dict[str, Any]]:
    who = {"data": "t", "version": "v", "analyst": "ann", "group": "g", "question": "q"}
    return "reserve", {**who, "key": key, "charges": {"data:t": {"epsilon": amount}}, **more}


def test_a_replay_adds_up_and_complains_of_what_no_ledger_would_do() -> None:
    replay = Replay()
    for entry in entries(
        ("caps", {"account": "data:t", "caps": {"epsilon": "1"}}),
        paid("k1", "3/4", families={"data:t": [2, "seal"]}),
        ("commit", {"key": "k1", "answer": "digest"}),
        paid("k1", "1/2"),
        ("commit", {"key": "k1", "answer": "digest"}),
        ("commit", {"key": "k2", "answer": "digest"}),
    ):
        replay.take(entry)
    assert replay.spent == {("data:t", "epsilon"): Fraction(5, 4)}
    assert replay.answers["k1"] == ("digest", 5)
    assert replay.families == {("data:t", 2): "seal"}
    for told in ("second time", "overspends", "nobody paid"):
        assert any(told in problem for problem in replay.problems)


def test_an_upgrade_seals_anew() -> None:
    replay = Replay()
    for entry in entries(
        ("key", {"rows": {"api_keys:a": "old", "api_keys:b": "gone"}}),
        paid("k1", "0", families={"data:t": [2, "seal"]}),
        ("upgrade", {"rows": {"api_keys:a": "new"}}),
    ):
        replay.take(entry)
    assert replay.rows == {"api_keys:a": "new"}
    assert replay.families == {}
    assert replay.sealed_from == 3
