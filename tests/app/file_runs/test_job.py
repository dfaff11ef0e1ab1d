"""All targets of a job are known, and compared with each other, before any work is done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import microveil as mv
from tests.app.file_runs.cases import job_of

MAPPED = mv.Pseudonymize(columns=["name"], mapping=True)
PLAIN = mv.Recipe(steps=[mv.Drop(columns=["name"])])


def test_one_mapping_has_the_file_named_and_several_stand_beside_it(tmp_path: Path) -> None:
    one = job_of(mv.Recipe(steps=[MAPPED]), "in.csv", "out.csv", mapping="map.csv")
    assert one.mapping_files() == ["map.csv"]
    steps = [mv.Drop(columns=["x"]), MAPPED, mv.Pseudonymize(columns=["ill"], mapping=True)]
    several = job_of(mv.Recipe(steps=steps), "in.csv", "out.csv", mapping=tmp_path / "map.csv")
    names = [Path(str(place)).name for place in several.mapping_files()]
    assert names == ["map.pseudonymize_mapping.csv", "map.pseudonymize_mapping_2.csv"]
    assert job_of(PLAIN, "in.csv", "out.csv").mapping_files() == []


@pytest.mark.parametrize(
    ("more", "alone"),
    [({}, True), ({"report": "r.json"}, False), ({"mapping": "m.csv"}, False)],
)
def test_data_are_all_that_is_asked_for_unless_more_is_named(
    more: dict[str, str], *, alone: bool
) -> None:
    assert job_of(PLAIN, "in.csv", "out.csv", **more).data_only is alone


@pytest.mark.parametrize(
    ("record", "apart"), [("r.json", True), ("out.csv", False), ("in.csv", False)]
)
def test_a_record_is_not_written_over_an_input_or_a_result(
    record: str, *, apart: bool, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_text("name\nAda\n", encoding="utf-8")
    job = job_of(PLAIN, tmp_path / "in.csv", tmp_path / "out.csv", record=tmp_path / record)
    assert job.record_stands_apart() is apart


def test_a_part_of_the_table_may_not_fall_on_another_target(tmp_path: Path) -> None:
    recipe = mv.Recipe(steps=[mv.Decompose(groups={"a": ["sex"], "b": ["ill"]})])
    job = job_of(recipe, tmp_path / "in.csv", tmp_path / "out.csv", record=tmp_path / "out.b.csv")
    with pytest.raises(mv.FileError, match=r"named for two things: part 'b' of out and record"):
        job.check()


def test_a_dry_run_needs_a_place_for_its_record_alone(tmp_path: Path) -> None:
    nowhere = tmp_path / "no" / "out.csv"
    job_of(PLAIN, tmp_path / "in.csv", nowhere, dry_run=True).check()
    with pytest.raises(mv.FileError, match="no folder"):
        job_of(PLAIN, tmp_path / "in.csv", nowhere).check()
    record = tmp_path / "no" / "record.json"
    with pytest.raises(mv.FileError, match="no folder"):
        job_of(PLAIN, tmp_path / "in.csv", nowhere, dry_run=True, record=record).check()


def test_a_seed_is_not_shown() -> None:
    assert "987654" not in repr(job_of(PLAIN, "in.csv", "out.csv", seed=987654))


@pytest.mark.parametrize("style", ["number", "token"])
@pytest.mark.parametrize("target", ["out.dta", "out.sav", "out.csv"])
@pytest.mark.parametrize("later", [(), (mv.Drop(columns=["name"]),)])
def test_pseudonyms_with_more_digits_than_the_format_keeps_are_refused_before_the_run(
    style: Any, target: str, later: tuple[mv.Drop, ...], tmp_path: Path
) -> None:
    recipe = mv.Recipe(steps=[mv.Pseudonymize(columns=["name"], style=style), *later])
    job = job_of(recipe, tmp_path / "in.csv", tmp_path / target)
    if style == "number" and target != "out.csv" and not later:
        with pytest.raises(mv.InputError, match=r"up to 9,007,199,254,740,992.*column 'name'"):
            job.check()
    else:
        job.check()
