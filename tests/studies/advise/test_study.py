"""Recipes on offer beside the sweep: who loses less at the same risk."""

from __future__ import annotations

import pytest

from microveil.errors import InputError
from microveil.studies.advise.study import (
    Advise,
    Found,
    compare_with_sweep,
    front_of,
    goal_of,
    points,
    tally,
)
from microveil.studies.frontier.scoring import Standing
from microveil.studies.frontier.study import Point

SWEPT = [
    Point("mondrian", "k = 2", Standing(0.3, "class sizes", 0.2)),
    Point("mondrian", "k = 5", Standing(0.1, "class sizes", 0.4)),
    Point("round", "to 5", Standing(0.4, "class sizes", 0.5)),
]


def _found(risk: float, loss: float, taste: str) -> Found:
    return Found(5, taste, Point("r", "k = 5", Standing(risk, "class sizes", loss)))


def test_a_recipe_is_compared_with_releases_that_are_at_most_as_risky() -> None:
    found = [
        _found(0.35, 0.1, "most useful"),
        _found(0.2, 0.4, "safest"),
        _found(0.35, 0.3, "truest"),
        _found(0.01, 0.9, "most useful of all"),
    ]
    told = compare_with_sweep(found, SWEPT)
    rows = points(told)
    assert [row.get("sweep's loss") for row in rows] == [0.2, 0.4, 0.2, None]
    assert [row["on the front of both"] for row in rows] == [1, 0, 0, 1]
    assert tally(told) == (2, 1, 1)


def test_the_front_of_the_sweep_leaves_out_what_is_beaten() -> None:
    assert [row["parameter"] for row in points(front_of(SWEPT))] == ["k = 2", "k = 5"]


def test_without_the_search_it_is_told_where_to_get_it() -> None:
    with pytest.raises(InputError, match="microveil study advise"):
        list(Advise()._search(None, 5, goal_of(5, {}), 1))  # type: ignore[arg-type]
