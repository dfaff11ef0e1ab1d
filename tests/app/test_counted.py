from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.app.counted import assess_file, compare_files

ROLES = mv.Roles(quasi_identifiers=["town", "sex"])
BEFORE = pl.DataFrame({"town": ["a", "a", "b", None], "sex": ["f", "f", "m", "m"], "n": range(4)})
AFTER = pl.DataFrame({"town": ["a", "a", "a", None], "sex": ["f", "f", "m", "m"], "n": range(4)})


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    BEFORE.write_parquet(tmp_path / "before.parquet")
    AFTER.write_csv(tmp_path / "after.csv")
    return tmp_path / "before.parquet", tmp_path / "after.csv"


def test_a_counted_file_is_assessed_like_the_table(files: tuple[Path, Path]) -> None:
    for path, frame in zip(files, (BEFORE, AFTER), strict=True):
        for missing in ("category", "wildcard"):
            counted = assess_file(path, ROLES, missing=missing)
            whole = mv.assess(frame, roles=ROLES, missing=missing, measures="none")
            assert (counted.k, counted.n_unique, counted.n_classes) == (
                whole.k,
                whole.n_unique,
                whole.n_classes,
            )
            assert counted.average_risk == pytest.approx(whole.average_risk)
            assert "counted, not read" in counted.skipped["others"]


def test_distances_between_columns_are_those_of_their_counts(files: tuple[Path, Path]) -> None:
    found = compare_files(*files, ROLES, aligned=True)
    distances = found.utility["count_distance"].parts["columns"]
    assert distances == pytest.approx({"town": 0.25, "sex": 0.0, "n": 0.0})
    # One of twelve cells differs.
    assert found.utility["cell_changes"].value == pytest.approx(1 / 12)
    assert found.before.k == found.after.k == 1


def test_files_of_different_length_are_not_laid_side_by_side(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    AFTER.head(3).write_csv(tmp_path / "short.csv")
    with pytest.raises(mv.InputError, match="one file has 4 and the other 3"):
        compare_files(files[0], tmp_path / "short.csv", ROLES, aligned=True)
    assert "cell_changes" not in compare_files(files[0], tmp_path / "short.csv", ROLES).utility
    with pytest.raises(mv.InputError, match="needs quasi-identifiers"):
        assess_file(files[0], mv.Roles())
