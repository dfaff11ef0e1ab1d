from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl
import pytest

from microveil.errors import RequirementNotMetError
from microveil.release import Release
from microveil.release.verifying import reread
from microveil.reports import summarize, write_report
from tests.reports.cases import MakeRelease, Widen


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".xlsx"])
def test_the_written_file_is_read_again_and_named_by_its_checksum(
    sound: Release, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"out{suffix}"
    file = reread(sound, sound.write(path))

    assert file is not None
    assert file.holds
    assert file.name == path.name
    assert file.n_bytes == path.stat().st_size
    assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert "the requirement holds in it" in file.sentence


@pytest.mark.parametrize("audience", ["internal", "public"])
def test_both_audiences_read_of_the_file(sound: Release, tmp_path: Path, audience: str) -> None:
    written = sound.write(tmp_path / "out.csv")
    page = write_report(sound, tmp_path / "r.html", audience=audience, written=written)

    text = page.read_text("utf-8")
    assert "The written file" in text
    assert "It was read back" in text
    assert str(tmp_path) not in text


def test_a_file_that_was_changed_is_not_fit_to_leave(sound: Release, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    written = sound.write(path)
    lone = pl.read_csv(path)
    lone[0, "town"] = "Elsewhere"
    lone.write_csv(path)

    summary = summarize(sound, written=written)

    assert summary.verdict.tone == "bad"
    assert "changed after it was written" in summary.verdict.sentence
    with pytest.raises(RequirementNotMetError, match=r"out\.csv"):
        summarize(sound, "public", written=written)


def test_missing_rows_and_unreadable_files_are_told(sound: Release, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    written = sound.write(path)

    pl.read_csv(path).head(100).write_csv(path)
    file = reread(sound, written)
    assert file is not None
    assert file.holds is False
    assert "changed after it was written" in file.sentence
    # Without the checksum of the writing, the file itself is compared.
    file = reread(sound, {"path": str(path)})
    assert file is not None
    assert file.holds is False
    assert "does not hold what was released" in file.sentence

    path.write_bytes(b"\x00\xff")
    file = reread(sound, {"path": str(path)})
    assert file is not None
    assert file.holds is False

    path.unlink()
    file = reread(sound, written)
    assert file is not None
    assert file.holds is None
    assert "no longer there" in file.sentence


def test_without_requirements_only_the_rows_are_confirmed(
    make_release: MakeRelease, tmp_path: Path
) -> None:
    release = make_release(Widen(column="age"), k=None)
    file = reread(release, release.write(tmp_path / "out.parquet"))

    assert file is not None
    assert file.holds
    assert "there were no requirements" in file.sentence


def test_a_database_is_not_read_again(sound: Release) -> None:
    file = reread(sound, {"path": "sqlite:///some.db?table=t"})

    assert file is not None
    assert file.holds is None
    assert reread(sound, None) is None
    assert reread(sound, {"shuffled": True}) is None
