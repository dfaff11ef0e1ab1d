"""Plans tell how they were made, and their facts add up over the parts."""

from __future__ import annotations

import numpy as np
import polars as pl

import microveil as mv
from microveil.planning.plan import Resolved, RowByRow, join_facts, read_by

RNG = np.random.default_rng(0)
TABLE = mv.Table(pl.DataFrame({"x": [12, 18, None], "y": ["a", "b", None]}))


def test_a_step_row_by_row_is_applied_to_each_part() -> None:
    plan = RowByRow(mv.Round(columns=["x"], base=10), 3, ("x",))
    assert (plan.kind, plan.opaque, plan.removes, plan.sequential) == (
        "row by row",
        False,
        False,
        False,
    )
    assert RowByRow(plan.step, 3, ("x",), by_chance=True).opaque
    one = plan.protect(TABLE, RNG, plan.start())
    assert one.table.frame["x"].to_list() == [10, 20, None]
    both = plan.merge_facts(plan.merge_facts({}, one.facts), one.facts)
    assert both["n_changed"] == {"x": 4}
    assert plan.shape(TABLE).columns == ["x", "y"]


def test_plans_that_remember_nothing_start_alike_everywhere() -> None:
    plan = RowByRow(mv.Round(columns=["x"], base=10), 0, ("x",))
    assert plan.tally(TABLE).size == 0
    assert plan.starts(np.zeros((3, 0), np.int64), RNG) == [None] * 3


def test_a_resolved_step_is_its_parts_one_after_another() -> None:
    parts = (mv.Mask(columns=["y"], pattern="X"), mv.Round(columns=["x"], base=10))
    plan = Resolved(parts[0], 0, ("x", "y"), parts, {"told": 1}, by_chance=True)
    done = plan.protect(TABLE, RNG, None)
    assert done.table.frame.rows() == [(10, "X"), (20, "X"), (None, None)]
    assert done.facts["n_changed"] == {"y": 2, "x": 2}
    assert done.facts["told"] == 1
    assert (plan.kind, plan.opaque, plan.facts) == ("from counts", True, None)


def test_facts_of_columns_stand_beside_each_other() -> None:
    first = {"n": {"a": 1}, "names": ["a"], "k": 2}
    assert join_facts(first, {"n": {"b": 2}, "names": ["b"], "k": 3}) == {
        "n": {"a": 1, "b": 2},
        "names": ["a", "b"],
        "k": 3,
    }
    assert first == {"n": {"a": 1}, "names": ["a"], "k": 2}
    assert join_facts({}, first) == first


def test_a_step_reads_what_it_names_anywhere_and_what_has_a_role() -> None:
    frame = pl.DataFrame({name: [1] for name in ("w", "x", "y", "z", "home")})
    table = mv.Table(frame, mv.Roles(household="home"))
    step = mv.Shuffle(columns=["z"], given=["x"])
    assert read_by(step, table) == ("x", "z", "home")
