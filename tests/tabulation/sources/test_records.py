from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import microveil as mv


def test_a_missing_value_makes_nobody_a_contributor() -> None:
    frame = pl.DataFrame({"a": ["x"] * 3 + ["y"] * 4, "v": [5.0, None, None, 1.0, 2.0, 3.0, 4.0]})
    made = mv.tabulate(frame, mv.Tabulation(by=["a"], value="v"))
    cells = made.families[0].cells
    assert {cells.codes_of(at): int(n) for at, n in enumerate(cells.n)} == {
        "x": 1, "y": 4, "Total": 5,
    }  # fmt: skip
    assert made.facts[0]["n_unsafe"] == 1


@pytest.mark.parametrize(
    ("column", "sentence"),
    [({"weight": "w"}, "every record needs its weight"), ({"waiver": "t"}, "true or false")],
)
def test_columns_that_cannot_serve_are_named(column: dict[str, Any], sentence: str) -> None:
    frame = {"a": ["x", "y"], "w": [1.0, None], "t": ["yes", "no"]}
    with pytest.raises(mv.ColumnError, match=sentence):
        mv.tabulate(frame, mv.Tabulation(by=["a"], **column))


def test_who_agreed_to_be_published_is_not_protected() -> None:
    frame = {"a": ["x"] + ["y"] * 4, "agreed": [True] + [False] * 4}
    kept = mv.tabulate(frame, mv.Tabulation(by=["a"], waiver="agreed"))
    assert kept.facts[0]["n_unsafe"] == 0
    assert mv.tabulate(frame, mv.Tabulation(by=["a"])).facts[0]["n_unsafe"] == 1
