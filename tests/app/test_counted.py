"""Files that are only counted are assessed and compared as tables in memory are."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from tests.planning.test_parts_equal_whole import people

ROLES = mv.Roles(quasi_identifiers=["sex", "town"], sensitive=["ill"])


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize("missing", ["category", "wildcard"])
def test_a_file_has_the_class_sizes_of_its_table(kind: str, missing: str, tmp_path: Path) -> None:
    path = tmp_path / f"people.{kind}"
    mv.write(people().select("sex", "town", "ill"), path, keep_order=True)
    found = mv.assess_file(path, ROLES, missing=missing)  # type: ignore[arg-type]
    whole = mv.assess(mv.read(path), ROLES, missing=missing)  # type: ignore[arg-type]
    for name in ("n_records", "k", "n_classes", "n_unique"):
        assert getattr(found, name) == getattr(whole, name)
    assert found.models == whole.models
    assert "class sizes" in found.skipped["others"]


def test_two_files_are_compared_by_counts_and_cell_by_cell(tmp_path: Path) -> None:
    before, after = tmp_path / "before.parquet", tmp_path / "after.parquet"
    frame = people()
    changed = frame.with_columns(
        pl.when(pl.col("town") == "Ås").then(pl.lit("Bø")).otherwise("town").alias("town")
    ).drop("name")
    frame.write_parquet(before)
    changed.write_parquet(after)
    found = mv.compare_files(before, after, ROLES, aligned=True)
    moved = int((frame["town"] == "Ås").sum()) / 700
    assert found.utility["count_distance"].parts["columns"]["town"] == pytest.approx(moved)
    whole = mv.compare(frame, changed, ROLES, measures=["cell_changes"])
    assert found.utility["cell_changes"].value == pytest.approx(whole.utility["cell_changes"].value)
    assert found.after.k == whole.after.k


def test_files_of_unlike_length_are_not_laid_side_by_side(tmp_path: Path) -> None:
    before, after = tmp_path / "before.parquet", tmp_path / "after.parquet"
    people().write_parquet(before)
    people(600).write_parquet(after)
    assert "cell_changes" not in mv.compare_files(before, after, ROLES).utility
    with pytest.raises(InputError, match="one file has 700 and the other 600"):
        mv.compare_files(before, after, ROLES, aligned=True)


def test_measures_that_need_records_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "people.parquet"
    people().write_parquet(path)
    with pytest.raises(InputError, match="Risk needs quasi-identifiers"):
        mv.assess_file(path, mv.Roles())
