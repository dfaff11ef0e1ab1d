from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.errors import InputError
from microveil.methods.optimal_generalization import OptimalGeneralization
from microveil.privacy import KAnonymity, KMap
from microveil.tables import Roles, Table

TREE = {"town": {"tree": {"FR": ["Lyon", "Paris"], "IT": ["Rome", "Bari"]}}}
FRAME = pl.DataFrame({"town": ["Lyon", "Paris", "Rome", "Rome", "Bari"]})
TABLE = Table(FRAME, Roles(quasi_identifiers=["town"]))


def step(**fields: object) -> OptimalGeneralization:
    return OptimalGeneralization.parse({"hierarchies": TREE, **fields})


def test_the_best_node_is_released_without_the_suppressed_records() -> None:
    whole = step(k=2).apply(TABLE, np.random.default_rng(0))
    assert whole.table.frame["town"].to_list() == ["FR", "FR", "IT", "IT", "IT"]
    assert whole.facts["levels"] == {"town": 1}
    assert whole.facts["n_suppressed"] == 0
    assert whole.facts["node"] == 1
    assert whole.facts["solutions"][0]["levels"] == {"town": 1}
    few = step(k=2, suppression_share=0.6).apply(TABLE, np.random.default_rng(0))
    n_kept = few.table.height
    assert few.facts["n_suppressed"] == 5 - n_kept


def test_distinct_rows_give_the_same_levels_as_their_records() -> None:
    distinct = Table(FRAME.unique(maintain_order=True), TABLE.roles)
    outcome = step(k=2).on_classes(distinct, np.array([1, 1, 2, 1]))
    assert outcome is not None
    assert outcome.facts["levels"] == {"town": 1}
    assert outcome.facts["n_suppressed"] == 0


def test_the_recipes_requirements_are_the_goal_where_the_step_names_none() -> None:
    requirements = [KAnonymity(k=3), KMap(k=2, population="people.csv")]
    assert step().toward(requirements).goal == (KAnonymity(k=3),)
    assert step(k=2).toward(requirements).goal == step(k=2).goal
    with pytest.raises(InputError, match="has no goal"):
        step().protect(FRAME, TABLE.roles)


def test_an_empty_table_passes_with_every_key_as_it_is() -> None:
    empty = Table(FRAME.clear(), TABLE.roles)
    outcome = step(k=2).apply(empty, np.random.default_rng(0))
    assert outcome.facts == {"levels": {"town": 0}, "n_suppressed": 0}
