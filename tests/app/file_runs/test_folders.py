"""A run from a folder or a pattern is the run from one file with all rows."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.app.counted import assess_file, compare_files
from microveil.cli import main
from microveil.errors import FileError
from tests.planning.test_parts_equal_whole import people

RECIPE = mv.Recipe.from_yaml("""
roles: {quasi_identifiers: [age, sex, town]}
undeclared: keep
steps: [{method: local_suppression, k: 3}]
require: [{model: k_anonymity, k: 3}]
""")


@pytest.fixture(params=["csv", "parquet"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    place = tmp_path / "people"
    place.mkdir()
    frame = people(90)
    for start in range(0, 90, 20):
        part = frame[start : start + 20]
        path = place / f"{start:02d}.{request.param}"
        part.write_csv(path) if request.param == "csv" else part.write_parquet(path)
    mv.write(mv.read(place), tmp_path / f"one.{request.param}", keep_order=True)
    return place


def one_file(folder: Path) -> Path:
    return next(folder.parent.glob("one.*"))


@pytest.mark.parametrize("in_parts", [False, True])
@pytest.mark.parametrize("pattern", ["", "*"])
def test_the_release_is_that_of_one_file(folder: Path, pattern: str, *, in_parts: bool) -> None:
    found = []
    for source in (folder / pattern, one_file(folder)):
        out = folder.parent / "out.parquet"
        done = mv.run_file(RECIPE, source, out, seed=1, in_parts=in_parts, keep_order=True)
        assert done.holds
        found.append(mv.read(out))
    assert_frame_equal(*found)


def test_risk_and_comparison_are_those_of_one_file(folder: Path) -> None:
    one = one_file(folder)
    wanted = assess_file(one, RECIPE.roles).to_dict()
    assert assess_file(folder, RECIPE.roles).to_dict() == wanted
    same = compare_files(one, folder, RECIPE.roles, aligned=True)
    assert same.utility["cell_changes"].value == 0


def test_no_target_is_among_the_files(folder: Path) -> None:
    kind = one_file(folder).suffix
    before = sorted(folder.iterdir())
    for source, target in (
        (folder, "x.parquet"),
        (folder, f"00{kind}"),
        (folder / "*", f"x{kind}"),
    ):
        with pytest.raises(FileError, match="is the source of this run"):
            mv.run_file(RECIPE, source, folder / target)
        with pytest.raises(FileError, match=r"is the source of this run \(report\)"):
            mv.run_file(RECIPE, source, folder.parent / "out.csv", report=folder / "r.html")
    assert sorted(folder.iterdir()) == before


def test_the_record_holds_one_checksum_of_all_files(folder: Path) -> None:
    record = folder.parent / "record.json"
    told = []
    for _ in range(2):
        mv.run_file(RECIPE, folder, folder.parent / "out.csv", record=record, seed=1)
        told.append(json.loads(record.read_text())["input"])
        files = sorted(folder.iterdir())
        files[0].rename(files[0].with_name("000" + files[0].suffix))
    assert told[0]["name"] == "people"
    assert told[0]["n_files"] == 5
    assert told[0]["n_bytes"] == sum(one.stat().st_size for one in folder.iterdir())
    assert told[0]["sha256"] != told[1]["sha256"]


def test_a_file_that_changed_starts_a_resumed_run_anew(folder: Path) -> None:
    out = folder.parent / "out.parquet"
    mv.run_file(RECIPE, folder, out, seed=1, resume=True)
    first = min(folder.iterdir())
    rows = mv.read(first)
    mv.write(pl.concat([rows, rows]), first)
    assert mv.run_file(RECIPE, folder, out, seed=1, resume=True).n_records == 110


def test_every_command_reads_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = folder.parent / "recipe.yaml"
    RECIPE.write(recipe)
    one = str(one_file(folder))
    for words in (
        ["inspect", "DATA", "--json"],
        ["risk", "DATA", "--quasi", "age,sex", "--json"],
        ["check", str(recipe), "DATA"],
        ["run", str(recipe), "DATA", "--dry-run", "--seed", "1"],
        ["run", str(recipe), "DATA", "--price", "--out", str(folder.parent / "o.csv")],
        ["compare", one, "DATA", "--quasi", "age,sex", "--json"],
    ):
        told = []
        for source in (str(folder), one):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(
                    "sys.argv", ["microveil", *(source if one == "DATA" else one for one in words)]
                )
                _ended(words)
            told.append(capsys.readouterr().out)
        if "--json" in words:
            assert told[0] == told[1]


def _ended(words: list[str]) -> None:
    try:
        main()
    except SystemExit as ended:
        assert ended.code in (0, None), words  # noqa: PT017  which command it was
