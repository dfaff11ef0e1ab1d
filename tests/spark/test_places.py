"""Tables and stores that only Spark reaches: read, written, and named in one sentence if not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import FileError, RequirementNotMetError
from microveil.spark import places as spark_places
from microveil.spark import run_on_spark
from microveil.spark.places import Place, place_at, read_place, write_place
from microveil.spark.reading import read_on_spark
from tests.spark.cases import back, to_spark

FRAME = pl.DataFrame({"sex": list("ffmm") * 3, "age": [30, 30, 40, 40] * 3, "ill": ["a", "b"] * 6})
RECIPE = mv.Recipe(
    roles=mv.Roles(quasi_identifiers=["sex", "age"], sensitive=["ill"]),
    require=[mv.KAnonymity(k=2)],
)


@pytest.mark.parametrize(
    ("said", "kind", "in_catalogue"),
    [
        ("delta:/data/people", "delta", False),
        ("delta:s3a://bucket/people", "delta", False),
        ("iceberg:lake.health.people", "iceberg", True),
        ("iceberg:/data/people", "iceberg", False),
        ("table:main.people", "table", True),
        ("abfss://box@account.host/people", "parquet", False),
        ("dbfs:/people", "parquet", False),
        ("gs://bucket/people.csv.gz", "csv", False),
    ],
)
def test_an_address_says_what_it_means(said: str, kind: str, *, in_catalogue: bool) -> None:
    place = place_at(said)
    assert place is not None
    assert (place.kind, place.in_catalogue) == (kind, in_catalogue)


@pytest.mark.parametrize("said", ["people.csv", "/data/people", "people/*.parquet", "C:/people"])
def test_files_of_this_machine_are_no_such_places(said: str) -> None:
    assert place_at(said) is None


def test_a_folder_with_a_log_of_delta_is_a_table_of_delta(tmp_path: Path) -> None:
    (tmp_path / "_delta_log").mkdir()
    assert place_at(tmp_path) == Place("delta", str(tmp_path))


def test_an_address_is_shown_without_a_password() -> None:
    assert str(Place("parquet", "s3a://name:secret@bucket/a")) == "s3a://bucket/a"
    assert str(Place("table", "a.b").beside("x")) == "table:a.b_x"


@pytest.mark.parametrize(
    ("said", "package"),
    [("delta:/nowhere", "io.delta:delta-spark"), ("s3a://bucket/x", "hadoop-aws"),
     ("iceberg:/nowhere", "iceberg-spark-runtime")],
)  # fmt: skip
def test_a_missing_package_is_named_in_one_sentence(spark: Any, said: str, package: str) -> None:
    with pytest.raises(FileError, match=package) as caught:
        read_on_spark(spark, said).count()
    assert "Traceback" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_what_is_not_there_is_said(spark: Any, tmp_path: Path) -> None:
    for said in (f"file://{tmp_path}/nothing", "table:nobody_made_it"):
        with pytest.raises(FileError, match="finds no such table"):
            read_on_spark(spark, said)


def release_of(spark: Any, recipe: mv.Recipe = RECIPE) -> Any:
    return run_on_spark(recipe, to_spark(spark, FRAME), seed=1)


def listed(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def test_a_store_gets_the_whole_table_or_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = f"file://{tmp_path}/out"
    told = release_of(spark).write(out)
    assert (told.n_rows, told.path) == (12, out)
    by = FRAME.columns
    assert back(read_on_spark(spark, out)).sort(by).equals(FRAME.sort(by))
    assert listed(tmp_path) == ["out"]
    with pytest.raises(FileError, match="exists already"):
        release_of(spark).write(out)

    def torn(*_: Any) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("microveil.spark.writing.move_place", torn)
    with pytest.raises(OSError, match="no space"):
        release_of(spark).write(f"file://{tmp_path}/second")
    assert listed(tmp_path) == ["out"]


def test_a_table_of_delta_is_written_by_its_own_writer(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Parquet stands in for Delta, whose package is not here.
    monkeypatch.setitem(spark_places.FORMATS, "delta", "parquet")
    groups = {"people": ["sex", "age"], "ills": ["ill"]}
    split = mv.Recipe(roles=RECIPE.roles, steps=[mv.Decompose(groups=groups)])
    told = release_of(spark, split).write_all(f"delta:{tmp_path}/people")
    assert [one.path for one in told] == [
        f"delta:{tmp_path}/people",
        f"delta:{tmp_path}/people.ills",
    ]
    assert listed(tmp_path) == ["people", "people.ills"]
    assert read_place(spark, Place("delta", f"{tmp_path}/people.ills")).count() == 12


def test_what_breaks_a_requirement_when_written_is_removed(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fewer(frame: Any, place: Place) -> None:
        write_place(frame.limit(1), place)

    monkeypatch.setattr("microveil.spark.writing.write_place", fewer)
    with pytest.raises(RequirementNotMetError, match="which were removed"):
        release_of(spark).write(f"file://{tmp_path}/out")
    assert listed(tmp_path) == []
