"""Rows that repeat a person's count once, whichever parts of a file they are in."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app import run_file
from microveil.app.file_runs.rows_seen import RowsSeen
from microveil.planning import files

ROLES = mv.Roles(quasi_identifiers=["age"], entity="who")
PEOPLE = pl.DataFrame(
    {
        "who": ["a", "a", "b", "a", "c", "b", "c", "a"],
        "age": [31, 31, 40, 31, 55, 40, 56, 31],
        "town": pl.Series(["x", "x", "y", "x", "z", "y", "z", "x"], dtype=pl.Categorical),
    }
)


def test_a_row_is_new_once_in_whatever_part() -> None:
    seen = RowsSeen()
    parts = [mv.Table(PEOPLE[:3], ROLES), mv.Table(PEOPLE[3:], ROLES)]
    assert [seen.add(part, part).original.height for part in parts] == [2, 2]
    first = mv.Table(PEOPLE[:1], ROLES)
    other = first.with_columns([pl.Series("age", [99])])
    assert seen.add(first, first).original.height == 0
    assert seen.add(first, other).released.height == 1


@pytest.mark.parametrize("part", [1, 3, 100])
def test_cells_changed_are_those_of_the_whole_table(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PART", part)
    steps = [mv.Round(columns=["age"], base=50)]
    recipe = mv.Recipe(roles=ROLES, steps=steps, keep=["who"], undeclared="keep")
    PEOPLE.write_parquet(tmp_path / "in.parquet")
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    run = run_file(recipe, source, out, seed=1, in_parts=True)
    whole = mv.run(recipe, PEOPLE, seed=1).utility["cell_changes"]
    assert run.cell_changes.value == pytest.approx(whole.value)
    assert run.cell_changes.parts["kept"] == pytest.approx(whole.parts["kept"])
