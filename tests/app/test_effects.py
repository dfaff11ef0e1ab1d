"""What a step does to risk and to the cells, against a count by hand."""

from __future__ import annotations

import polars as pl
import pytest

from microveil.app.effects import MOST_FACTS, effect_of
from microveil.tables import Roles, Table

ROLES = Roles(quasi_identifiers=("age", "sex"))
BEFORE = Table(pl.DataFrame({"age": [30, 31, 40, 41], "sex": ["f", "f", "m", "m"]}), ROLES)


def test_the_original_has_lost_nothing() -> None:
    found = effect_of(BEFORE, BEFORE, "category")
    assert (found.k, found.n_unique, found.loss) == (1, 4, 0.0)
    assert found.average_risk == 1.0


def test_risk_and_loss_after_a_step() -> None:
    coarse = pl.DataFrame({"age": ["30s", "30s", "40s", "40s"], "sex": ["f", "f", "m", "m"]})
    found = effect_of(BEFORE, Table(coarse, ROLES), "category")
    assert (found.k, found.n_unique) == (2, 0)
    assert found.average_risk == pytest.approx(0.5)
    assert found.loss == pytest.approx(0.5)


def test_without_keys_there_is_no_k() -> None:
    table = Table(BEFORE.frame)
    assert effect_of(table, table, "category").k is None


def test_facts_are_plain_and_few_and_hold_no_cells() -> None:
    facts = {"levels": {"age": 1}, "frame": BEFORE.frame} | {f"n_{i}": i for i in range(30)}
    shown = effect_of(BEFORE, BEFORE, "category", facts).facts
    assert shown["levels"] == {"age": 1}
    assert "frame" not in shown
    assert len(shown) == MOST_FACTS


def test_people_and_scenarios_are_counted() -> None:
    visits = pl.DataFrame({"who": [1, 1, 2, 3], "town": ["x", "x", "y", "y"], "job": list("aabc")})
    roles = Roles(quasi_identifiers=["town"], entity="who", scenarios={"office": ["job"]})
    found = effect_of(Table(visits, roles), Table(visits, roles), "category")
    assert (found.k, found.n_unique) == (1, 2)
    assert found.average_risk == pytest.approx(2 / 3)
    assert found.scenarios["office"].n_unique_people == 3
    assert found.words() == [
        "classes, k and risks count people, told apart by 'who'",
        "scenario office: k = 1; 4 of 4 records are unique (3 of 3 people)",
    ]
