from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv

ROWS = [
    *[("a", "f")] * 9, *[("a", "m")] * 2, *[("b", "f")] * 7, *[("b", "m")] * 6,
    *[("c", "f")] * 5, *[("c", "m")] * 8,
]  # fmt: skip
TABLES = {"tables": [{"by": ["town", "sex"]}], "rules": [{"rule": "threshold", "n": 3}]}


def people() -> pl.DataFrame:
    return pl.DataFrame(ROWS, schema=["town", "sex"], orient="row")


def recipe(*steps: mv.Method, **more: object) -> mv.Recipe:
    return mv.Recipe.parse(
        {
            "roles": {"quasi_identifiers": ["town", "sex"]},
            "steps": [step.to_dict() for step in steps],
            "tables": TABLES,
            **more,
        }
    )


def _files(folder: Path) -> tuple[Path, Path, Path]:
    people().write_csv(folder / "d.csv")
    return folder / "d.csv", folder / "o.csv", folder / "t.csv"


def test_records_and_tables_are_written_together(tmp_path: Path) -> None:
    data, out, tables = _files(tmp_path)
    done = mv.run_file(recipe(mv.Drop(columns=["sex"])), data, out, tables=tables)
    assert done.tables is not None
    assert done.tables_written == (tables,)
    shown = pl.read_csv(tables)
    assert shown.filter(town="a", sex="m")["value"].to_list() == [None]
    assert out.exists()
    assert done.to_dict()["tables"]["families"][0]["n_unsafe"] == 1


def test_tables_that_the_records_give_away_write_nothing(tmp_path: Path) -> None:
    """Whoever has all true records can count every cell."""
    data, out, tables = _files(tmp_path)
    with pytest.raises((mv.GoalNotReachedError, mv.RequirementNotMetError)):
        mv.run_file(recipe(), data, out, tables=tables)
    assert not out.exists()
    assert not tables.exists()


def test_a_broken_requirement_writes_no_tables(tmp_path: Path) -> None:
    data, out, tables = _files(tmp_path)
    strict = recipe(mv.Drop(columns=["sex"]), require=[{"model": "k_anonymity", "k": 30}])
    assert not mv.run_file(strict, data, out, tables=tables).holds
    assert not tables.exists()


def test_values_that_are_not_true_tell_nothing() -> None:
    tree = {"hierarchy": "tree", "tree": {"x": ["a", "b"], "y": ["c"]}}
    block = {"tables": [{"by": ["town", "sex"], "hierarchies": {"town": tree}}]}
    coarse = mv.Generalize.parse({"column": "town", "hierarchy": tree, "level": 1})
    asked = recipe(coarse, mv.Drop(columns=["sex"])).model_copy(update={"tables": block})
    from microveil.app.file_runs.releasing_tables import table_plan_of, true_records

    release = mv.run(asked, people(), seed=1)
    plan = table_plan_of(asked)
    assert plan is not None
    known = true_records(release, plan)
    assert known is not None
    assert set(known["town"]) == {"x", "y"}
    swapped = recipe(mv.Pram(columns=["town"], retention=0.3), mv.Drop(columns=["sex"]))
    release = mv.run(swapped, people(), seed=1)
    plan = table_plan_of(swapped)
    assert plan is not None
    known = true_records(release, plan)
    assert known is not None
    same = release.table.frame["town"] == people()["town"]
    assert known["town"].is_null().to_list() == (~same).to_list()


def test_a_release_in_memory_has_its_tables() -> None:
    release = mv.run(recipe(mv.Drop(columns=["sex"])), people(), seed=1)
    made = mv.release_tables(release)
    assert made is not None
    assert made.holds
    assert mv.release_tables(mv.run(mv.Recipe(), people().select("town"))) is None


def test_a_target_is_needed_and_only_then(tmp_path: Path) -> None:
    data, out, tables = _files(tmp_path)
    with pytest.raises(mv.InputError, match="--tables"):
        mv.run_file(recipe(mv.Drop(columns=["sex"])), data, out)
    with pytest.raises(mv.InputError, match="no tables"):
        mv.run_file(mv.Recipe(keep=["town", "sex"]), data, out, tables=tables)
    with pytest.raises(mv.InputError, match="all records at once"):
        mv.run_file(recipe(mv.Drop(columns=["sex"])), data, out, tables=tables, in_parts=True)
