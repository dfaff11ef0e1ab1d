"""Improving classes that meet requirements, checked by the models themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from microveil.kernels.recoding.merge import paid_by_classes
from microveil.privacy import (
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    DeltaDisclosure,
    KMap,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from microveil.search.lattice.goals import Goals
from microveil.search.lattice.lattice_search import LatticeSearch
from microveil.search.lattice.record_judge import judge_of
from microveil.search.lattice.space import Space
from microveil.search.local_recoding.mend import mend
from microveil.search.local_recoding.requirements import can_improve, improve
from microveil.search.local_recoding.search import Effort
from microveil.search.local_recoding.space import RecodingSpace
from microveil.tables import Roles, Table
from tests.search.exhaustive import HIERARCHIES, KEYS, frame_of, rows

ROLES = Roles(quasi_identifiers=KEYS, sensitive=["s", "u"])
tables = st.lists(rows, min_size=8, max_size=60)

MODELS = [
    LDiversity(l=2, column="s"),
    LDiversity(l=1.7, column="s", kind="entropy"),
    LDiversity(l=2, c=3, column="s", kind="recursive"),
    TCloseness(t=0.35, column="s"),
    TCloseness(t=0.35, column="s", distance="ordered"),
    TCloseness(
        t=0.35,
        column="s",
        distance="hierarchical",
        hierarchy={"tree": {"x": ["0", "1"], "y": ["2"]}},
    ),
    AlphaKAnonymity(k=2, alpha=0.7, column="s"),
    BetaLikeness(beta=1.5, column="s"),
    DeltaDisclosure(delta=2.5, column="s"),
]


def table_of(some: list[Any]) -> Table:
    frame = frame_of(some)
    return Table(frame.with_columns(u=pl.Series(np.arange(frame.height) % 2)), ROLES)


def prepared(table: Table, models: tuple[PrivacyModel, ...]) -> tuple[Goals, Space, RecodingSpace]:
    goals = Goals(models, table.roles, table.height, table.height, "original")
    trees = LatticeSearch.parse({"hierarchies": HIERARCHIES}).hierarchies
    space = Space.of(table, KEYS, trees, sensitive=goals.columns())
    return goals, space, RecodingSpace.of(space)


def paid(space: RecodingSpace, labels: np.ndarray) -> float:
    codes = np.ascontiguousarray(space.codes[space.row_of_record])
    return paid_by_classes(codes, np.ones(len(codes), dtype=np.int64), labels, space.trees)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.kind())
@settings(max_examples=12, deadline=None)
@given(some=tables, seed=st.integers(0, 99), k=st.integers(2, 4), also=st.booleans())
def test_better_classes_keep_what_they_kept(
    model: PrivacyModel, some: list[Any], seed: int, k: int, *, also: bool
) -> None:
    table = table_of(some)
    models = (model, LDiversity(l=2, column="u")) if also else (model,)
    goals, keys, space = prepared(table, models)
    judge, rng = judge_of(table, models), np.random.default_rng(seed)
    start = mend(space, np.full(table.height, -1, dtype=np.int32), k, judge, rng)
    rules = goals.rules(keys)
    if not judge(start, int(start.max()) + 1).all():
        return  # not even all records together keep the promise
    labels = improve(space, start, keys.sensitive, rules, Effort(k, 0, 4000), rng)
    assert np.bincount(labels).min() >= k
    assert judge(labels, int(labels.max()) + 1).all()
    assert paid(space, labels) <= paid(space, start) + 1e-9


def test_equal_records_with_equal_values_may_part() -> None:
    # Twenty times the same record: five of another kind need one of them as company.
    some = [("1", "1", "1", i % 2) for i in range(20)] + [("2", "1", "1", 0)] * 5
    table = table_of(some)
    goals, keys, space = prepared(table, (LDiversity(l=2, column="s"),))
    start = np.zeros(table.height, dtype=np.int32)
    rng = np.random.default_rng(1)
    labels = improve(space, start, keys.sensitive, goals.rules(keys), Effort(2), rng)
    assert paid(space, labels) < 0.5 * paid(space, start)
    assert judge_of(table, goals.models)(labels, int(labels.max()) + 1).all()


def test_the_smallest_class_that_a_model_asks_for_counts_beside_k() -> None:
    models = (KMap(k=4, population_size=70), LDiversity(l=2, column="u"))
    rng = np.random.default_rng(5)
    table = table_of([(str(rng.integers(1, 6)), "1", "1", 0) for _ in range(60)])
    goals, keys, space = prepared(table, models)
    rules = goals.rules(keys)
    assert rules.least == 4
    start = np.zeros(table.height, dtype=np.int32)
    labels = improve(space, start, keys.sensitive, rules, Effort(2), rng)
    assert labels.max() > 0
    assert np.bincount(labels).min() >= 4


def test_promises_about_the_whole_table_are_not_for_improving() -> None:
    table = table_of([("1", "1", "1", i % 2) for i in range(8)])
    for models, able in [
        ((LDiversity(l=2, column="s"),), True),
        ((LDiversity(l=2, column="s"), AverageRisk(threshold=0.5)), False),
    ]:
        goals, keys, space = prepared(table, models)
        assert can_improve(space, goals.rules(keys), 2) is able
