"""The columns of a step are changed in memory, and joined to the parts by their place."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.methods import Outcome
from microveil.planning.narrow import NarrowPlan, narrow_plan, roles_of

RNG = np.random.default_rng(0)
FRAME = pl.DataFrame({"x": [1, 2, 3, 4, 5], "y": ["a", "b", None, "b", "c"], "z": [9, 8, 7, 6, 5]})


def parts_of(plan: NarrowPlan, *sizes: int) -> pl.DataFrame:
    state, start, found = plan.start(), 0, []
    for size in sizes:
        part = mv.Table(FRAME.slice(start, size))
        found.append(plan.protect(part, RNG, state).table.frame)
        start += size
    return pl.concat(found)


def test_only_changed_columns_are_kept_and_found_by_their_place() -> None:
    table = mv.Table(FRAME.select("x", "y"))
    plan = narrow_plan(mv.Permute(columns=["x"]), 0, table, np.random.default_rng(1))
    assert plan.changed.columns == ["x"]
    assert (plan.removes, plan.sequential, plan.opaque) == (False, True, True)
    assert plan.kind == "its columns in memory"
    whole = parts_of(plan, 5)
    assert whole["x"].sort().to_list() == [1, 2, 3, 4, 5] != whole["x"].to_list()
    for sizes in ((1, 1, 3), (2, 0, 3), (4, 1)):
        assert parts_of(plan, *sizes).equals(whole)
    assert whole.select("y", "z").equals(FRAME.select("y", "z"))


def test_rows_and_columns_that_go_are_gone_in_every_part() -> None:
    roles = mv.Roles(quasi_identifiers=["y"])
    table = mv.Table(FRAME.select("y"), roles)
    plan = narrow_plan(mv.SuppressRecords(k=2), 0, table, RNG)
    assert plan.removes
    assert plan.facts["n_suppressed"] == 3
    for sizes in ((5,), (2, 3), (1, 1, 1, 1, 1)):
        assert parts_of(plan, *sizes)["x"].to_list() == [2, 4]
    dropped = narrow_plan(mv.Drop(columns=["y"]), 0, mv.Table(FRAME.select("y")), RNG)
    assert parts_of(dropped, 3, 2).columns == ["x", "z"]


def test_new_rows_and_further_tables_are_refused() -> None:
    groups = {"keys": ["x"], "others": ["y"]}
    with pytest.raises(InputError, match="'decompose' makes new rows or further tables"):
        narrow_plan(mv.Decompose(groups=groups), 0, mv.Table(FRAME.select("x", "y")), RNG)


def test_rows_in_another_order_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(_: mv.Permute, table: mv.Table, __: np.random.Generator) -> Outcome:
        return Outcome(table.take(np.arange(table.height)[::-1]))

    monkeypatch.setattr(mv.Permute, "apply", turned)
    with pytest.raises(InputError, match="'permute' makes new rows"):
        narrow_plan(mv.Permute(columns=["x"]), 0, mv.Table(FRAME), RNG)


def test_roles_of_columns_that_are_not_there_go() -> None:
    roles = mv.Roles(quasi_identifiers=["x", "y"], weight="z")
    assert roles_of(roles, ["y"]) == mv.Roles(quasi_identifiers=["y"])
