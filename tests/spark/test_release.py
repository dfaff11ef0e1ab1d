"""A release gives data only if all requirements hold, in files that appear whole."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError, RequirementNotMetError
from microveil.files.reading_back import sha256
from microveil.release.release import StepFacts
from microveil.spark.release import SparkRelease
from microveil.spark.writing import report_folder
from tests.planning.test_parts_equal_whole import people, recipe_of
from tests.spark.cases import to_spark

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own


def test_the_place_of_a_row_follows_from_its_cells_and_a_secret(spark: Any) -> None:
    """A task that is tried again, with its rows in another order, must send each to its place."""
    frame = to_spark(spark, people().select("name", "age"), 1)
    other = to_spark(spark, people().select("name", "age").reverse(), 1)

    def written(one: Any, seed: int) -> list[Any]:
        release = SparkRelease(*cast("Any", (None, None, None, (), (), seed)))
        return cast("list[Any]", release._mix_rows(one).toArrow().to_pylist())

    assert written(frame, 5) == written(other, 5) != written(frame, 6)
    assert written(frame, 5) != frame.toArrow().to_pylist()


def test_files_appear_whole_and_are_checked_again(spark: Any, tmp_path: Path) -> None:
    recipe = recipe_of([{"method": "mondrian", "k": 5}], require=[{"model": "k_anonymity", "k": 5}])
    release: Any = mv.run(recipe, to_spark(spark, people()), seed=3)
    told = release.write(tmp_path / "out")
    assert told.n_rows == 700
    written = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert written.group_by("age", "sex", "town").len()["len"].min() >= 5  # type: ignore[operator]
    assert written["name"].to_list() != sorted(written["name"].to_list())
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    with pytest.raises(FileError, match="not empty"):
        release.write(tmp_path / "out")
    broken: Any = mv.run(
        recipe_of([], require=[{"model": "k_anonymity", "k": 5}]), to_spark(spark, people()), seed=3
    )
    with pytest.raises(RequirementNotMetError, match="5-anonymity"):
        broken.write(tmp_path / "no")
    assert not (tmp_path / "no").exists()


def withheld(holds: bool) -> SparkRelease:  # noqa: FBT001  the one thing it depends on
    roles = mv.Roles(quasi_identifiers=["sex"])
    people = mv.Table({"sex": ["f", "f"]}, roles)
    check = mv.KAnonymity(k=2 if holds else 3).check(people)
    seen: Any = SimpleNamespace(head=people.frame, columns=people.columns)
    facts = (StepFacts("drop", {"n_columns": 1}),)
    return SparkRelease(mv.Recipe(roles=roles), seen, seen, (check,), facts, 987654)


def test_a_broken_requirement_withholds_data_and_says_why(tmp_path: Path) -> None:
    broken = withheld(holds=False)
    assert not broken.holds
    assert "is withheld" in broken.card().title
    for give in (broken.require_all, lambda: broken.data, lambda: broken.write(tmp_path / "out")):
        with pytest.raises(RequirementNotMetError, match=r"3-anonymity.*Add as the last step"):
            give()
    assert list(tmp_path.iterdir()) == []
    good = withheld(holds=True)
    good.require_all()
    assert "may be released" in good.card().title
    assert "987654" not in repr(good)


def test_what_was_written_is_counted_over_all_files(tmp_path: Path) -> None:
    files = [tmp_path / "b.parquet", tmp_path / "a.parquet"]
    for n_rows, file in zip((2, 3), files, strict=True):
        pl.DataFrame({"x": range(n_rows)}).write_parquet(file)
    (tmp_path / "_SUCCESS").write_bytes(b"")
    told = report_folder(tmp_path, tmp_path / "out", 1, shuffled=True)
    sums = "".join(f"{sha256(file)}  {file.name}\n" for file in sorted(files))
    assert (told.n_rows, told.n_columns, told.shuffled) == (5, 1, True)
    assert told.n_bytes == sum(file.stat().st_size for file in files)
    assert told.sha256 == hashlib.sha256(sums.encode()).hexdigest()
