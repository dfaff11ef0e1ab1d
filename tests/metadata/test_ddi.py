from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import microveil as mv
from microveil.files.statistical.ddi_files import read_ddi_labels
from microveil.metadata.ddi import ddi_of
from microveil.metadata.model import DataTable, Metadata, Variable
from microveil.metadata.study import Study
from microveil.release import Release
from tests.metadata.cases import STUDY, UGLY
from tests.metadata.ddi_schema import problems_in

SPACE = {"d": "ddi:codebook:2_6"}


def test_it_validates_against_the_schema(told: Metadata) -> None:
    assert problems_in(ddi_of(told)) == []


def test_it_validates_without_a_study_and_with_a_file(release: Release, tmp_path: Path) -> None:
    written = release.write(tmp_path / "out.csv")
    text = ddi_of(mv.describe_release(release, None, written))
    assert problems_in(text) == []
    assert str(written.sha256) in text


def test_the_schema_refuses_what_the_standard_does() -> None:
    text = ddi_of(Metadata("T", Study(), (DataTable("t", (Variable("a", "text"),), 20),)))
    assert problems_in(text) == []
    assert problems_in(text.replace('files="F1"', 'files="F9"'))
    assert problems_in(text.replace("<dataDscr>", "<dataDscr><dataDscr/>"))
    assert problems_in(text.replace('type="character"', 'type="words"'))


def test_signs_that_xml_cannot_hold_are_left_out() -> None:
    table = DataTable("t", (Variable("a\x00b", "text", label="x\x1f<y>"),), "<10")
    text = ddi_of(Metadata("T\x0b", Study(), (table,)))
    assert problems_in(text) == []
    assert "x&lt;y&gt;" in text


def test_weights_households_dates_and_codes_are_told(told: Metadata) -> None:
    root = ET.fromstring(ddi_of(told))  # noqa: S314  written here
    found = {one.get("name"): one for one in root.iterfind(".//d:var", SPACE)}
    assert found["w"].get("wgt") == "wgt"
    assert found["sex"].get("wgt-var") == found["w"].get("ID")
    assert found["since"].get("temporal") == "Y"
    labels = [one.text for one in found["sex"].iterfind("d:catgry/d:labl", SPACE)]
    assert labels == ["male", "female"]
    assert found[UGLY].find("d:universe", SPACE).text == "employees"  # type: ignore[union-attr]
    assert "household" in ET.tostring(found["home"], encoding="unicode")


def test_labels_and_universes_come_back_from_it(told: Metadata, tmp_path: Path) -> None:
    path = tmp_path / "ddi.xml"
    path.write_text(ddi_of(told), encoding="utf-8")
    labels = read_ddi_labels(path)
    assert labels.values["sex"] == {1: "male", 2: "female"}
    assert labels.columns["sex"] == "Sex <of> respondent"
    assert labels.universes == {UGLY: "employees"}


def test_several_tables_are_relational(told: Metadata) -> None:
    two = replace(told, tables=(*told.tables, DataTable("more", (Variable("id", "integer"),), 20)))
    text = ddi_of(two)
    assert problems_in(text) == []
    assert text.count('type="relational"') == 2
    assert STUDY.citation is not None
    assert STUDY.citation in text
