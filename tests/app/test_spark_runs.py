"""Runs from folder to folder: report, record, and one sentence where something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from microveil.app import run_spark_file
from microveil.app.spark_runs import _Measured
from microveil.errors import FileError, NotOnSparkError, RequirementNotMetError
from tests.planning.test_parts_equal_whole import people, recipe_of
from tests.spark.conftest import spark  # noqa: F401  the one session of all tests

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own

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
@pytest.mark.usefixtures("spark")
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


@pytest.mark.slow  # one more Spark session: tests beside the engine ask the same of it
@pytest.mark.usefixtures("spark")
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


@pytest.mark.slow
@pytest.mark.usefixtures("spark")
def test_a_split_table_is_written_and_described_beside_itself(source: Path, tmp_path: Path) -> None:
    groups = {"people": ["age", "sex"], "illnesses": ["ill"]}
    recipe = recipe_of([{"method": "decompose", "groups": groups}])
    out, told = tmp_path / "out", tmp_path / "metadata.json"
    done = run_spark_file(recipe, source, out, seed=4, metadata=told)
    assert [Path(one["path"]).name for one in done["written"]] == ["out", "out.illnesses"]
    beside = pl.read_parquet(tmp_path / "out.illnesses" / "*.parquet")
    assert beside.columns == ["link_id", "ill"]
    assert "illnesses" in told.read_text(encoding="utf-8")
    with pytest.raises(FileError, match="not empty"):
        run_spark_file(recipe, source, tmp_path / "out", seed=4)


def test_wrong_targets_are_named_before_any_work(source: Path, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "old.parquet").write_bytes(b"old")
    with pytest.raises(FileError, match="full exists already and is not empty: name a new folder"):
        run_spark_file(RECIPE, source, full)
    assert (full / "old.parquet").read_bytes() == b"old"
    with pytest.raises(FileError, match=r"a report is \.html, \.pdf or \.json"):
        run_spark_file(RECIPE, source, tmp_path / "out", report=tmp_path / "report.docx")
    with pytest.raises(FileError, match="named for two things: report and record"):
        run_spark_file(
            RECIPE, source, tmp_path / "out", report=tmp_path / "r.json", record=tmp_path / "r.json"
        )
    before = (source / "a.parquet").read_bytes()
    with pytest.raises(FileError, match="an input is never overwritten"):
        run_spark_file(RECIPE, source, tmp_path / "out", record=source / "a.parquet")
    assert (source / "a.parquet").read_bytes() == before
    with pytest.raises(FileError, match=r"source of this run \(out\)"):
        run_spark_file(RECIPE, source, source / "out")
    people(5).drop("pay").write_parquet(source / "c.parquet")
    with pytest.raises(FileError, match=r"c\.parquet lacks column 'pay' of a\.parquet"):
        run_spark_file(RECIPE, source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_counted_is_refused_and_recorded(source: Path, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    with pytest.raises(FileError, match=r"No file .*none\."):
        run_spark_file(RECIPE, tmp_path / "none", tmp_path / "out", seed=987654, record=record)
    kept = json.loads(record.read_text(encoding="utf-8"))
    assert (kept["engine"], kept["error"]["kind"]) == ("spark", "FileError")
    assert kept["exit_code"] == FileError("").exit_code
    assert "987654" not in record.read_text(encoding="utf-8")
    with pytest.raises(FileError, match="no folder"):
        run_spark_file(RECIPE, source, tmp_path / "out", report=tmp_path / "no" / "r.html")


def test_changed_cells_are_not_counted_there() -> None:
    release: Any = SimpleNamespace(risk="after", risk_before="before")
    measured = _Measured(release)
    assert measured.assess_before(models=True) is release.risk_before
    assert measured.assess_after(models=False) is release.risk
    assert measured.utility == {}
    with pytest.raises(NotOnSparkError, match="--engine local"):
        _ = measured.cell_changes


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ({"method": "pseudonymize", "columns": ["name"], "mapping": True}, "writes no mapping"),
    ],
)
def test_a_step_with_further_targets_is_refused_for_that_reason(
    step: dict[str, Any], sentence: str, source: Path, tmp_path: Path
) -> None:
    with pytest.raises(NotOnSparkError, match=sentence):
        run_spark_file(recipe_of([step]), source, tmp_path / "out")
