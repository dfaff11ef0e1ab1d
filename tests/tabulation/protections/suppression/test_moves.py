from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.tabulation.protections.suppression import spec
from tests.tabulation.attack import interval
from tests.tabulation.instances import random_people

TREE = {"p": ["a", "b"], "q": ["c", "d"]}


def _belongs(variable: int, code: str, leaf: str) -> bool:
    return code in ("Total", leaf) or (variable == 0 and leaf in TREE.get(code, ()))


def _tables(n_variables: int, **parameters: Any) -> mv.Tabulation:
    tree = {"v0": {"hierarchy": "tree", "tree": TREE}}
    return mv.Tabulation(by=[f"v{at}" for at in range(n_variables)], hierarchies=tree, **parameters)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([3, 4]), st.sampled_from([-1, 10**9]))
def test_no_unsafe_cell_of_a_table_with_branches_can_be_computed(
    seed: int, n_variables: int, most_work: int
) -> None:
    """Random tables of three and four variables, attacked by a program of the tests' own."""
    rng = np.random.default_rng(seed)
    frame = random_people(rng, (4, 3, 2, 2)[:n_variables], most=5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spec, "MOST_WORK", most_work)
        made = mv.tabulate(frame, _tables(n_variables), rules=[mv.Threshold(n=3)])
    (table,) = made.frames.values()
    unsafe = table.filter(status="unsafe").sample(fraction=1.0, shuffle=True, seed=seed).head(6)
    for row in unsafe.iter_rows():
        low, high = interval(frame.unique().rows(), table, row[:n_variables], _belongs)
        assert high - low > 0.5


def test_levels_of_magnitudes_are_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "MOST_WORK", -1)
    rng = np.random.default_rng(5)
    frame = random_people(rng, (4, 4), most=6)
    frame = frame.with_columns(v=pl.Series(rng.lognormal(3, 1.5, frame.height).round(2)))
    table = _tables(2, value="v")
    made = mv.tabulate(frame, table, rules=[mv.Threshold(n=3), mv.PPercent(p=10)])
    assert made.facts[0]["n_unsafe"] > 0
    assert made.holds
    spans = made.audit_frame()
    assert (spans["upper"] > spans["lower"]).all()


def test_linked_tables_move_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "MOST_WORK", -1)
    frame = random_people(np.random.default_rng(2), (4, 3, 3), most=4)
    both = [mv.Tabulation(by=["v0", "v1"]), mv.Tabulation(by=["v0", "v2"])]
    made = mv.tabulate(frame, both, rules=[mv.Threshold(n=9)])
    assert made.facts[0]["n_secondary"] > 0
    assert made.holds


def test_what_cannot_be_protected_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec, "MOST_WORK", -1)
    frame = {"a": ["x", "y", "y", "y", "y"]}
    fixed = [mv.CellStatus(cell={"a": "y"}, status="published")]
    kept = [*fixed, mv.CellStatus(cell={}, status="published")]
    with pytest.raises(mv.GoalNotReachedError, match="x cannot be protected"):
        mv.tabulate(frame, mv.Tabulation(by=["a"]), statuses=kept)


def test_what_an_insider_far_away_computes_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    """The audit of this table finds an only contributor whom no neighbour gave away."""
    monkeypatch.setattr(spec, "MOST_WORK", -1)
    frame = random_people(np.random.default_rng(27), (4, 3, 2, 2), most=5)
    assert mv.tabulate(frame, _tables(4), rules=[mv.Threshold(n=3)]).holds
