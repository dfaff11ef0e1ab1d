"""The files of a release are made together, and only when every requirement holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from microveil import app
from microveil.errors import InputError
from microveil.methods import Drop, LocalSuppression
from microveil.methods.parts.streams import Chance
from microveil.progress import silent
from microveil.recipes import Recipe
from microveil.release import Release
from microveil.web.project import tasks
from microveil.web.project.releasing import CheckView, Made, make_files
from microveil.web.project.states import States
from tests.web.project.cases import PEOPLE, recipe_of


def test_the_files_of_a_release_are_counted_from_outside(data: Path, tmp_path: Path) -> None:
    recipe = recipe_of(Drop(columns=("name",)), LocalSuppression(k=3))
    folder = tmp_path / "out"
    folder.mkdir()
    wanted = {"folder": folder, "name": "released.csv", "source": "patients.csv"}
    chance = Chance.of(None, PEOPLE)
    made = tasks.make_release(data, States(data.parent), recipe, chance, wanted, silent)
    assert set(made.files) == {
        "data", "report_internal", "report_public", "report_pdf", "certificate", "certificate_pdf",
        "recipe", "script", "record", "metadata",
    }  # fmt: skip
    released = pl.read_csv(folder / "released.csv", schema_overrides={"postcode": pl.String})
    assert "name" not in released.columns
    sizes = released.group_by("sex", "age", "postcode").len()["len"]
    assert int(sizes.min()) >= 3  # type: ignore[arg-type]
    assert Recipe.read(folder / "recipe.yaml") == recipe
    import hashlib
    import json

    told = json.loads((folder / "certificate.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256((folder / "released.csv").read_bytes()).hexdigest()
    assert told["file"]["sha256"] == digest
    assert told["requirements"][0]["holds"]


def test_every_check_and_every_column_counts() -> None:
    good, bad = (CheckView("k_anonymity", holds, "…", 3.0) for holds in (True, False))
    assert Made((good,), (), (), (), {}, 5).holds
    assert not Made((good, bad), (), (), (), {}, 5).holds
    assert not Made((good,), ("cost",), (), (), {}, 5).holds


def test_only_checking_writes_nothing(tmp_path: Path) -> None:
    release = app.run(recipe_of(Drop(columns=("name",)), LocalSuppression(k=3)), PEOPLE)
    made = make_files(release, {"folder": tmp_path}, silent)
    assert made.holds
    assert (made.files, made.n_records) == ({}, 400)
    assert made.checks[0].required == 3
    assert list(tmp_path.iterdir()) == []


def test_a_broken_requirement_is_not_even_tried_to_be_written(tmp_path: Path) -> None:
    release = app.run(recipe_of(Drop(columns=("name",)), k=9), PEOPLE)
    made = make_files(release, {"folder": tmp_path, "name": "a.csv"}, silent)
    assert not made.holds
    assert (made.files, made.refused) == ({}, "")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: Any) -> None:
        raise InputError("Excel has fewer rows.")

    monkeypatch.setattr(Release, "write", refused)
    release = app.run(recipe_of(Drop(columns=("name",)), LocalSuppression(k=3)), PEOPLE)
    made = make_files(release, {"folder": tmp_path, "name": "a.xlsx"}, silent)
    assert (made.refused, made.files) == ("Excel has fewer rows.", {})
