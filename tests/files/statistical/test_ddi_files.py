from __future__ import annotations

from pathlib import Path

import pytest

import microveil as mv
from microveil.files.statistical.ddi_files import read_ddi_labels

DDI = """<?xml version="1.0" encoding="UTF-8"?>
<codeBook xmlns="ddi:codebook:2_5" version="2.5">
  <stdyDscr><citation><titlStmt><titl>Labour  survey</titl></titlStmt></citation></stdyDscr>
  <dataDscr>
    <var name="sex">
      <labl xml:lang="es">Sexo</labl><labl xml:lang="en">Sex of
      respondent</labl>
      <universe>All people</universe>
      <catgry><catValu>1</catValu><labl>Male</labl></catgry>
      <catgry><catValu>01</catValu><labl>Text</labl></catgry>
      <catgry missing="Y"><catValu>.a</catValu><labl>Refused</labl></catgry>
      <catgry><catValu>9</catValu></catgry>
    </var>
    <var name="bare"/>
    <var><labl>nameless</labl></var>
  </dataDscr>
</codeBook>
"""


@pytest.fixture
def ddi(tmp_path: Path) -> Path:
    path = tmp_path / "survey.xml"
    path.write_text(DDI, encoding="utf-8")
    return path


def test_labels_codes_and_universes_are_read(ddi: Path) -> None:
    labels = read_ddi_labels(ddi)
    assert labels.title == "Labour survey"
    assert labels.columns == {"sex": "Sex of respondent"}
    assert labels.values == {"sex": {1: "Male", "01": "Text", "a": "Refused"}}
    assert labels.universes == {"sex": "All people"}


@pytest.mark.parametrize(
    "space", ['xmlns="ddi:codebook:2_6"', 'xmlns="http://www.icpsr.umich.edu/DDI"', ""]
)
def test_every_version_is_read(ddi: Path, space: str) -> None:
    ddi.write_text(DDI.replace('xmlns="ddi:codebook:2_5"', space), encoding="utf-8")
    assert read_ddi_labels(ddi).columns == {"sex": "Sex of respondent"}


def test_it_serves_as_a_code_book_of_a_file(ddi: Path, tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text("sex,bare\n1,x\n1,y\n")
    frame, labels = mv.read_labelled(data, labels=str(ddi))
    assert frame.height == 2
    assert labels.tell("sex", "1") == "1 Male"
    assert labels.universes == {"sex": "All people"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<codeBook>", "not valid XML"),
        ("plain", "not valid XML"),
        ("<other/>", "not a DDI-Codebook file"),
        ('<!DOCTYPE c [<!ENTITY a "b">]><codeBook/>', "declares entities"),
    ],
)
def test_what_is_no_ddi_is_refused_in_one_sentence(ddi: Path, text: str, said: str) -> None:
    ddi.write_text(text, encoding="utf-8")
    with pytest.raises(mv.FileError, match=said):
        read_ddi_labels(ddi)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(mv.FileError, match=r"none\.xml"):
        read_ddi_labels(tmp_path / "none.xml")
