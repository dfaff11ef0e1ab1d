"""All rows before and after a run in parts, where memory holds them."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import microveil as mv
from microveil.app.file_runs.replaying import KeptRows, rows_before_and_after
from microveil.planning import FileEngine, plan_steps


def test_rows_are_those_of_the_run_and_know_where_they_came_from(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    pl.DataFrame({"age": [1, 2, 9, 9], "sex": list("fmfm")}).write_csv(path)
    roles = mv.Roles(quasi_identifiers=["age"], insensitive=["sex"])
    steps = [mv.TopBottomCode(columns=["age"], top=5)]
    recipe = mv.Recipe(roles=roles, steps=steps)
    for limit, fits in ((2**30, True), (1, False)):
        engine = FileEngine(path, roles, {}, 1, limit)
        plans = plan_steps(recipe, engine, 1).plans
        both = rows_before_and_after(engine, engine, plans, recipe)
        assert (both is not None) == fits
        if both is not None:
            assert both[0].frame["age"].to_list() == [1, 2, 9, 9]
            assert both[1].frame["age"].to_list() == [1, 2, 5, 5]
            assert both[1].rows is not None
            assert both[1].rows.tolist() == [0, 1, 2, 3]


def test_rows_that_were_kept_are_taken_only_if_all_were() -> None:
    kept, frame = KeptRows(), pl.DataFrame({"x": [1, 2]})
    kept.add(1, frame, mv.Table(frame))
    assert kept.of_all(4) is None
    kept.add(0, frame.with_columns(x=0), mv.Table(frame))
    found = kept.of_all(4)
    assert found is not None
    assert [part["x"].sum() for part, _ in found] == [0, 3]
