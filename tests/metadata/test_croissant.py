from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.metadata.croissant import croissant_of, media_type
from microveil.metadata.model import Metadata
from microveil.release import Release
from tests.metadata.cases import STUDY, UGLY

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
mlc = pytest.importorskip("mlcroissant")


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, logger="absl")


def loaded(path: Path) -> Any:
    dataset = mlc.Dataset(str(path))
    assert not dataset.metadata.ctx.issues.errors
    return dataset


@pytest.mark.usefixtures("quiet")
def test_mlcroissant_reads_it_and_the_records(release: Release, tmp_path: Path) -> None:
    written = release.write(tmp_path / "out.csv")
    path = tmp_path / "croissant.json"
    path.write_text(croissant_of(mv.describe_release(release, STUDY, written)), encoding="utf-8")
    dataset = loaded(path)
    assert dataset.metadata.ctx.is_v1_1()
    assert not dataset.metadata.ctx.issues.warnings
    rows = list(dataset.records("out"))
    assert len(rows) == pl.read_csv(tmp_path / "out.csv").height
    codes = [one["out/sex/codes/name"] for one in dataset.records("out/sex/codes")]
    assert codes == ["male", "female"]


@pytest.mark.usefixtures("quiet")
def test_mlcroissant_knows_the_rai_fields(told: Metadata, tmp_path: Path) -> None:
    path = tmp_path / "croissant.json"
    path.write_text(croissant_of(told), encoding="utf-8")
    found = loaded(path).metadata
    assert any("noise" in one for one in found.data_preprocessing_protocol)
    assert any("Perturbed" in one for one in found.data_limitations)
    assert found.personal_sensitive_information


def test_provenance_says_what_made_it_and_from_what(told: Metadata) -> None:
    plain = json.loads(croissant_of(told))
    assert plain["prov:wasGeneratedBy"]["@type"] == "prov:Activity"
    assert plain["prov:wasDerivedFrom"]["prov:label"] == "Panel register"
    assert "http://mlcommons.org/croissant/1.1" in plain["conformsTo"]


def test_ugly_names_stay_in_names_and_out_of_identifiers(told: Metadata) -> None:
    fields = json.loads(croissant_of(told))["recordSet"][-1]["field"]
    found = next(one for one in fields if one["name"]["en"] == UGLY)
    assert not set(found["@id"]) & set('<>&" ')


def test_media_types_are_known_for_what_is_written() -> None:
    assert media_type("csv") == "text/csv"
    assert media_type("nobody knows") == "application/octet-stream"
