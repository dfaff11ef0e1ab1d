"""Paid answers are read from the ledger once, and belong to a group and a version."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from microveil.dp import Count, Loss, answer
from microveil.service.free.memory import Memory
from microveil.service.ledger.ledger import Ledger
from microveil.service.ledger.steps import Commit, Granted, Question, Reserve
from microveil.service.registry import DataSet, Registry
from tests.service.places import Place, survey


def pay(ledger: Ledger, data: DataSet, text: str, group: str = "health") -> None:
    asked = Question(data.name, data.identity, "ann", group, text)
    granted = ledger.do(Reserve(asked, {}))
    assert isinstance(granted, Granted)
    found = answer(Count(), survey(), data.declaration, Loss.of(epsilon=1)).to_dict()
    ledger.do(Commit(asked.key, granted.token, json.dumps({"answers": [found]})))


def test_new_answers_are_added_to_those_that_are_known(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.home.open() as ledger:
        data = Registry(ledger).data_set("survey")
        memory = Memory(ledger)
        assert memory.load_bought(data, "health") == []
        pay(ledger, data, "one")
        pay(ledger, data, "two")
        first = memory.load_bought(data, "health")
        assert [one.answer.query for one in first] == [Count(), Count()]
        asked: list[Any] = []
        paid = ledger.paid_queries

        def noted(**more: Any) -> Any:
            asked.append(more["answered_after"])
            return paid(**more)

        monkeypatch.setattr(ledger, "paid_queries", noted)
        pay(ledger, data, "three")
        again = memory.load_bought(data, "health")
        assert again[:2] == first
        assert len(again) == 3
        assert asked[0] > 0
        # Whoever gets the list may change it without changing what is known.
        again.clear()
        assert len(memory.load_bought(data, "health")) == 3


def test_other_groups_and_other_versions_know_nothing_of_it(place: Place) -> None:
    with place.home.open() as ledger:
        data = Registry(ledger).data_set("survey")
        pay(ledger, data, "one")
        memory = Memory(ledger)
        assert memory.load_bought(data, "others") == []
        assert memory.load_bought(replace(data, fingerprint="changed"), "health") == []
        assert len(memory.load_bought(data, "health")) == 1
