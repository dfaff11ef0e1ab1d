from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from microveil.errors import FileError, RequirementNotMetError
from microveil.release import Release
from microveil.reports import summarize, write_report
from tests.reports.cases import COUNTED, LABEL, RARE, SCALE, Jitter, MakeRelease
from tests.reports.pages import page_of


@pytest.mark.parametrize("suffix", [".html", ".json"])
def test_marked_values_reach_no_public_file(sound: Release, tmp_path: Path, suffix: str) -> None:
    path = write_report(sound, tmp_path / f"public{suffix}", audience="public")

    text = path.read_text("utf-8")

    # k of the requirement is 17, the table's k is 98, and 4 records were left out of 200.
    marks = [str(SCALE + 0.5), str(COUNTED), f"{COUNTED:,}", LABEL, RARE]
    assert [mark for mark in marks if mark in text] == []
    assert "17-anonymity" in text  # whoever has the data can count it
    internal = write_report(sound, tmp_path / f"internal{suffix}").read_text("utf-8")
    assert str(SCALE + 0.5)[:5] in internal
    assert "17-anonymity" in internal


def test_json_says_what_the_summary_says(sound: Release, tmp_path: Path) -> None:
    day = date(2024, 2, 29)
    path = write_report(sound, tmp_path / "r.json", today=day)

    assert json.loads(path.read_text("utf-8")) == summarize(sound, today=day).to_dict()


def test_a_broken_release_is_reported_in_red(broken: Release, tmp_path: Path) -> None:
    page = page_of(broken, tmp_path)

    assert "NOT RELEASED" in page.text
    assert ("class", "verdict bad") in page.attributes
    assert "3-anonymity" in page.text


def test_a_broken_release_writes_no_public_report(broken: Release, tmp_path: Path) -> None:
    with pytest.raises(RequirementNotMetError):
        write_report(broken, tmp_path / "public.html", audience="public")

    assert list(tmp_path.iterdir()) == []


def test_changed_values_are_cautioned_about_on_the_page(
    make_release: MakeRelease, tmp_path: Path
) -> None:
    page = page_of(make_release(Jitter(column="age"), k=None), tmp_path)

    assert "Not valid evidence" in page.text


def test_a_release_writes_its_own_report(sound: Release, tmp_path: Path) -> None:
    assert sound.report(tmp_path / "r.html", audience="public").exists()


@pytest.mark.parametrize("name", ["r.docx", "report"])
def test_another_kind_of_file_is_refused(sound: Release, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"\.html, \.pdf or \.json"):
        write_report(sound, tmp_path / name)


def test_a_report_needs_an_existing_folder(sound: Release, tmp_path: Path) -> None:
    with pytest.raises(FileError):
        write_report(sound, tmp_path / "nowhere" / "r.html")
