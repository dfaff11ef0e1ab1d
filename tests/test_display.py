"""Every result shows itself in short, as text and as HTML, and shows no record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.display import MOST_ROWS, Card, grid

SECRET = "zebra-cell-77"
FRAME = pl.DataFrame(
    {
        "name": [f"{SECRET}-{i}" for i in range(40)],
        "town": [f"{SECRET}-{i % 3}" for i in range(40)],
        "age": [7_000_000 + i % 4 for i in range(40)],
        "pay": [9_000_000.5 + i for i in range(40)],
    }
)
ROLES = mv.Roles(identifiers=["name"], quasi_identifiers=["town", "age"], sensitive=["pay"])


def draft() -> mv.Draft:
    return mv.Draft.start(FRAME, ROLES, seed=1).apply(mv.Drop(columns=["name"]))


RESULTS: dict[str, Callable[[], Any]] = {
    "table": lambda: mv.Table(FRAME, ROLES),
    "assessment": lambda: mv.assess(FRAME, ROLES),
    "comparison": lambda: mv.compare(FRAME, FRAME.drop("name"), ROLES, measures=["cell_changes"]),
    "draft": draft,
    "release": lambda: draft().require(mv.KAnonymity(k=2)).release(),
    "check": lambda: mv.KAnonymity(k=5).check(FRAME, ROLES),
    "score": lambda: mv.ClassSizes().measure(FRAME, roles=ROLES),
    "verdict": lambda: mv.assess(FRAME, ROLES).verdicts[0],
    "search": lambda: mv.search_lattice(
        FRAME, ROLES, k=2, hierarchies={"age": {"hierarchy": "intervals", "width": 2}}
    ),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_short_and_shows_no_record(name: str) -> None:
    result = RESULTS[name]()
    for shown in (repr(result), result._repr_html_()):
        assert 10 < len(shown) < 6000
        assert SECRET not in shown
        assert "7000000" not in shown.replace(",", "")
        assert "9000000" not in shown.replace(",", "")


def test_a_draft_shows_risk_and_cost_after_each_step() -> None:
    shown = repr(draft().apply(mv.SuppressRecords(k=4)))
    lines = [line.split() for line in shown.splitlines()]
    assert any(line[:2] == ["drop", "40"] for line in lines)
    assert any(line[0] == "suppress_records" for line in lines if line)
    assert "cells changed" in shown


def test_markup_in_names_is_escaped() -> None:
    table = mv.Table({"<script>alert(1)</script>": [1]})
    assert "<script>" not in table._repr_html_()


def test_a_long_grid_is_cut_and_counted() -> None:
    card = Card("x", (), (grid(("n",), [(i,) for i in range(MOST_ROWS + 5)]),))
    assert "… and 5 more" in card.text()
    assert card.html().count("<tr>") == MOST_ROWS + 1
