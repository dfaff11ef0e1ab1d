"""Runs from folder to folder: report, record, and one sentence where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app import run_spark_file
from microveil.errors import FileError, InputError, RequirementNotMetError
from tests.planning.test_parts_equal_whole import people, recipe_of

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.usefixtures("spark")]

RECIPE = recipe_of(
    [{"method": "suppress_records", "k": 3}],
    require=[
        {"model": "k_anonymity", "k": 3},
        {"measure": "class_sizes", "at_most": 0.34},
    ],
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "people"
    folder.mkdir()
    people().write_parquet(folder / "a.parquet")
    people(300, seed=2).write_parquet(folder / "b.parquet")
    return folder


@pytest.mark.slow
def test_a_run_has_a_report_and_a_record(source: Path, tmp_path: Path) -> None:
    report, record = tmp_path / "report.html", tmp_path / "record.json"
    told = run_spark_file(
        RECIPE,
        source,
        tmp_path / "out",
        seed=4,
        report=report,
        record=record,
        made_by="the data desk",
    )
    written = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert told["holds"]
    assert [check["holds"] for check in told["checks"]] == [True, True]
    assert told["n_records"] == written.height == 1000 - told["n_suppressed"]
    page = report.read_text(encoding="utf-8")
    assert "the data desk" in page
    assert "No utility was measured" in page
    kept = json.loads(record.read_text(encoding="utf-8"))
    assert kept["engine"] == "spark"
    assert kept["exit_code"] == 0
    assert kept["written"][0]["sha256"] == told["written"][0]["sha256"]
    assert [phase["name"] for phase in kept["phases"]][-2:] == ["writing", "report"]
    assert "4" not in str(kept["seed_fingerprint"])[:1] or len(kept["seed_fingerprint"]) > 8


def test_a_broken_requirement_leaves_a_report_and_a_record_but_no_data(
    source: Path, tmp_path: Path
) -> None:
    report, record = tmp_path / "report.json", tmp_path / "record.json"
    recipe = recipe_of([], require=[{"model": "k_anonymity", "k": 3}])
    with pytest.raises(RequirementNotMetError, match="3-anonymity"):
        run_spark_file(recipe, source, tmp_path / "out", report=report, record=record)
    assert not (tmp_path / "out").exists()
    assert json.loads(report.read_text(encoding="utf-8"))["requirements"][0]["holds"] is False
    assert json.loads(record.read_text(encoding="utf-8"))["exit_code"] == 3


def test_wrong_targets_are_named_before_any_work(source: Path, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "old.parquet").write_bytes(b"old")
    with pytest.raises(FileError, match="full exists already and is not empty: name a new folder"):
        run_spark_file(RECIPE, source, full)
    assert (full / "old.parquet").read_bytes() == b"old"
    with pytest.raises(FileError, match=r"a report is \.html or \.json"):
        run_spark_file(RECIPE, source, tmp_path / "out", report=tmp_path / "report.pdf")
    people(5).drop("pay").write_parquet(source / "c.parquet")
    with pytest.raises(FileError, match=r"c\.parquet has a different schema from a\.parquet"):
        run_spark_file(RECIPE, source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_too_many_classes_for_the_driver_are_counted(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("microveil.spark.engine.MOST_CLASSES", 20)
    n_classes = pl.concat([people(), people(300, seed=2)]).select("age", "sex", "town").n_unique()
    with pytest.raises(InputError, match=f"{n_classes:,} combinations of 'age', 'sex', 'town'"):
        run_spark_file(RECIPE, source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_spark_frames_are_assessed_and_compared_by_their_counts(source: Path, spark: Any) -> None:
    roles = mv.Roles(quasi_identifiers=["sex", "town"], sensitive=["ill"])
    frame = spark.read.parquet(str(source))
    local = pl.concat([people(), people(300, seed=2)])
    found, whole = mv.assess(frame, roles), mv.assess(local, roles)
    assert (found.k, found.n_classes, found.n_unique) == (whole.k, whole.n_classes, whole.n_unique)
    assert found.skipped
    released = frame.drop("name").filter("town is not null")
    both = mv.compare(frame, released, roles)
    assert both.before.k == whole.k
    assert both.after.n_records == local["town"].count()
    distances = both.utility["count_distance"].parts["columns"]
    share = local["town"].null_count() / local.height
    assert distances["town"] == pytest.approx(share)
    assert "name" not in distances
