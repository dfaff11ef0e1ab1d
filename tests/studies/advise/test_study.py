"""Recipes on offer beside the sweep: who loses less at the same risk."""

from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.studies.advise.rivals import Found, Rival
from microveil.studies.advise.study import (
    Advise,
    compare_with_sweep,
    front_of,
    goal_of,
    points,
    tally,
)
from microveil.studies.frontier.scoring import Standing
from microveil.studies.frontier.study import Point


def _rival(name: str, k: int, risk: float, loss: float, changed: float) -> Rival:
    return Rival(Point(name, f"k = {k}", Standing(risk, "class sizes", loss)), k, changed)


SWEPT = [
    _rival("mondrian", 2, 0.3, 0.2, 0.3),
    _rival("mondrian", 5, 0.1, 0.4, 0.5),
    _rival("round", 1, 0.4, 0.5, 0.1),
]


def _found(risk: float, loss: float, taste: str, name: str = "r") -> Found:
    return Found(2, taste, _rival(name, 2, risk, loss, 0.4))


def test_each_taste_is_compared_by_its_own_yardstick_with_what_meets_the_goal() -> None:
    found = [
        _found(0.35, 0.1, "most useful"),
        _found(0.1, 0.4, "safest"),
        _found(0.01, 0.1, "safest", "other"),
        _found(0.35, 0.3, "truest"),
    ]
    told = compare_with_sweep(found, SWEPT)
    rows = points(told)
    assert [row.get("sweep's best") for row in rows] == [0.2, 0.1, None, 0.3]
    assert tally(told) == (2, 1, 1)


def test_the_front_of_the_sweep_leaves_out_what_is_beaten() -> None:
    assert [row["parameter"] for row in points(front_of(SWEPT))] == ["k = 2", "k = 5"]


def test_without_the_search_it_is_told_where_to_get_it() -> None:
    with pytest.raises(InputError, match="microveil study advise"):
        list(Advise()._search(None, 5, goal_of(5, {}), 1))  # type: ignore[arg-type]
