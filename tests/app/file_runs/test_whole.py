"""A run in memory: what it reads, writes and says, in one go."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app.file_runs.use_case import run_file
from microveil.app.file_runs.whole import run_whole
from tests.app.file_runs.cases import job_of

ROLES = mv.Roles(identifiers=["name"], quasi_identifiers=["sex"])
STEPS = [mv.Drop(columns=["name"]), mv.SuppressRecords(k=2)]
RECIPE = mv.Recipe(roles=ROLES, steps=STEPS, require=[mv.KAnonymity(k=2)])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.csv"
    pl.DataFrame({"name": ["Ada", "Ben", "Cleo"], "sex": ["f", "m", "f"]}).write_csv(path)
    return path


def test_data_are_written_and_counted(source: Path, tmp_path: Path) -> None:
    done = run_whole(job_of(RECIPE, source, tmp_path / "out.csv"))
    assert done.holds
    assert (done.n_records, done.n_suppressed, done.in_parts) == (2, 1, False)
    assert [one.path for one in done.written] == [str(tmp_path / "out.csv")]
    assert mv.read(tmp_path / "out.csv").rows() == [("f",), ("f",)]
    assert done.privacy_loss is None


def test_a_dry_run_checks_and_writes_nothing(source: Path, tmp_path: Path) -> None:
    report = tmp_path / "r.json"
    done = run_whole(job_of(RECIPE, source, tmp_path / "out.csv", report=report, dry_run=True))
    assert done.holds
    assert done.written == ()
    assert list(tmp_path.iterdir()) == [source]


def test_a_broken_requirement_withholds_data_and_mapping_but_not_the_report(
    source: Path, tmp_path: Path
) -> None:
    recipe = mv.Recipe(
        roles=ROLES,
        steps=[mv.Pseudonymize(columns=["name"], mapping=True)],
        require=[mv.KAnonymity(k=2)],
    )
    done = run_whole(
        job_of(
            recipe,
            source,
            tmp_path / "out.csv",
            report=tmp_path / "r.json",
            mapping=tmp_path / "map.csv",
        )
    )
    assert (done.holds, done.written, done.warnings) == (False, (), ())
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "r.json"}


def test_what_was_spent_on_differential_privacy_is_told(source: Path, tmp_path: Path) -> None:
    step = mv.RandomizedResponse(columns=["sex"], epsilon=1.5, categories=["f", "m"])
    recipe = mv.Recipe(roles=ROLES, steps=[mv.Drop(columns=["name"]), step])
    done = run_whole(job_of(recipe, source, tmp_path / "out.csv", seed=1))
    assert done.privacy_loss is not None
    assert done.privacy_loss["epsilon"] == 1.5


@pytest.mark.parametrize("name", ["out.sqlite", "out.duckdb"])
def test_no_transaction_stands_open_while_the_report_is_made(
    source: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, report = tmp_path / name, tmp_path / "r.json"
    mv.write(pl.DataFrame({"x": [1]}), target, table="other")
    make = mv.Release.report

    def report_and_write(self: mv.Release, *args: Any, **options: Any) -> Path:
        mv.write(pl.DataFrame({"x": [1]}), target, table="meanwhile")  # nobody holds the file
        return make(self, *args, **options)

    monkeypatch.setattr(mv.Release, "report", report_and_write)
    place = f"{name.split('.')[1]}:///{target}?table=t"
    done = run_whole(job_of(RECIPE, source, place, report=report))
    assert done.written[0].read_back
    assert json.loads(report.read_text())["file"]["holds"] is True
    assert mv.read(target, table="t").height == 2


def test_a_report_is_not_left_behind_by_a_database_that_fails(source: Path, tmp_path: Path) -> None:
    target, report = tmp_path / "out.sqlite", tmp_path / "r.json"
    mv.write(pl.DataFrame({"sex": [1]}), target, table="t")
    with pytest.raises(mv.FileError):
        run_whole(job_of(RECIPE, source, f"sqlite:///{target}?table=t", report=report))
    assert not report.exists()


def test_the_public_gets_a_report_of_its_own(source: Path, tmp_path: Path) -> None:
    both = {"report": tmp_path / "own.json", "public_report": tmp_path / "public.json"}
    run_whole(job_of(RECIPE, source, tmp_path / "out.csv", **both))
    told = {name: json.loads(path.read_text())["audience"] for name, path in both.items()}
    assert told == {"report": "internal", "public_report": "public"}


def test_nothing_is_told_to_the_public_of_data_that_are_withheld(
    source: Path, tmp_path: Path
) -> None:
    strict = RECIPE.model_copy(update={"require": (mv.KAnonymity(k=9),)})
    both = {"report": tmp_path / "own.json", "public_report": tmp_path / "public.json"}
    run_whole(job_of(strict, source, tmp_path / "out.csv", **both))
    assert [path.exists() for path in both.values()] == [True, False]


def test_a_public_report_needs_the_whole_table(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "public.html"
    with pytest.raises(mv.errors.InputError, match="whole table in memory"):
        run_file(RECIPE, source, tmp_path / "out.csv", public_report=target, in_parts=True)
