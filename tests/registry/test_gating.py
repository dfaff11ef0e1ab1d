from __future__ import annotations

from copy import deepcopy
from typing import Any

from microveil.registry.gating import Gate, Margins, compare_measured

BEFORE: dict[str, Any] = {
    "risk": {"highest_risk": 0.1},
    "utility": {"cell_changes": 0.2},
    "data": {
        "n_records": 9,
        "rare_share": 0.1,
        "columns": {"a": {"type": "text", "missing_share": 0.0, "categories": ["1", "2"]}},
    },
}


def kinds(now: dict[str, Any], **margins: float) -> list[str]:
    return [one.kind for one in compare_measured(BEFORE, now, Margins(**margins))]  # type: ignore[arg-type]


def test_nothing_changed_nothing_found() -> None:
    assert kinds(deepcopy(BEFORE)) == []


def test_each_change_beyond_its_margin_is_found() -> None:
    now = deepcopy(BEFORE)
    now["risk"]["highest_risk"] = 0.2
    now["utility"]["cell_changes"] = 0.3
    now["data"]["rare_share"] = 0.2
    column = now["data"]["columns"]["a"]
    column.update(type="numbers", missing_share=0.5, categories=["2", "3"])
    now["data"]["columns"]["b"] = deepcopy(column)
    expected = ["risk", "utility", "column", "type", "categories", "missing", "rare"]
    assert kinds(now) == expected
    wide = {"risk": 0.1, "utility": 0.1, "new_categories": 1, "rare": 0.1}
    assert kinds(now, **wide) == ["column", "type", "missing"]


def test_what_became_safer_or_more_useful_passes() -> None:
    now = deepcopy(BEFORE)
    now["risk"]["highest_risk"] = now["utility"]["cell_changes"] = 0.0
    now["data"]["columns"]["a"]["categories"] = ["1"]
    assert kinds(now) == []
    assert not Gate("b", ("broken",), (), now).holds
