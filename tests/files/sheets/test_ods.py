"""ODS: the sheets of LibreOffice."""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.files import write

CELL = (
    '<table:table-cell office:value-type="{kind}"{value}><text:p>{text}</text:p></table:table-cell>'
)
ROWS = (
    (("string", "name"), ("string", "age")),
    (("string", "Ana"), ("float", "31")),
)
NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text")
)


def content() -> str:
    """A sheet of two rows, as office programs write it."""
    rows = ""
    for row in ROWS:
        cells = ""
        for kind, text in row:
            value = f' office:value="{text}"' if kind == "float" else ""
            cells += CELL.format(kind=kind, value=value, text=text)
        rows += f"<table:table-row>{cells}</table:table-row>"
    table = f'<table:table table:name="Data">{rows}</table:table>'
    body = f"<office:body><office:spreadsheet>{table}</office:spreadsheet></office:body>"
    return f'<office:document-content {NAMES} office:version="1.2">{body}</office:document-content>'


KIND = "application/vnd.oasis.opendocument.spreadsheet"


MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{KIND}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>"
)


def test_a_sheet_of_an_office_program_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "people.ods", "w") as archive:
        archive.writestr("mimetype", KIND)
        archive.writestr("META-INF/manifest.xml", MANIFEST)
        archive.writestr("content.xml", content())
    assert mv.read(tmp_path / "people.ods").rows() == [("Ana", 31)]


TEXTS = [
    "plain",
    " two  blanks ",
    "tab\there",
    "two\nlines",
    "a\r\nb",
    '<b attr="1">&amp;</b>',
    "Ж 漢 🎈",
    "'=1+1",
    None,
]


def test_text_comes_back_character_by_character(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a <&> b": TEXTS, "n": range(len(TEXTS))})
    write(frame, tmp_path / "t.ods", keep_order=True)
    assert_frame_equal(mv.read(tmp_path / "t.ods"), frame)


def test_numbers_dates_and_truths_come_back(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "whole": [1, -(2**53), None],
            "real": [0.1, 1e-300, 1.7976931348623157e308],
            "truth": [True, None, False],
            "day": [dt.date(1066, 10, 14), None, dt.date(2026, 1, 31)],
            "moment": [
                dt.datetime(1999, 12, 31, 23, 59, 59, 123000),  # noqa: DTZ001  a sheet has no zone
                None,
                dt.datetime(2000, 1, 1),  # noqa: DTZ001
            ],
        }
    )
    write(frame, tmp_path / "t.ods", keep_order=True)
    back = mv.read(tmp_path / "t.ods", types={"whole": "integer"})
    assert_frame_equal(back, frame)


def test_the_file_is_an_opendocument_sheet(tmp_path: Path) -> None:
    write(pl.DataFrame({"a": [1], "b": ["two\nlines"]}), tmp_path / "t.ods", sheet="A & B")
    with zipfile.ZipFile(tmp_path / "t.ods") as archive:
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert archive.read("mimetype").decode() == KIND
        tree = ET.fromstring(archive.read("content.xml"))  # noqa: S314  our own
    spaces = {
        name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("table", "text")
    }
    table = tree.find(".//table:table", spaces)
    assert table is not None
    assert table.attrib[f"{{{spaces['table']}}}name"] == "A & B"
    shown = [[p.text for p in row.iterfind(".//text:p", spaces)] for row in table]
    assert shown == [["a", "b"], ["two", "lines"]]


def test_control_characters_are_refused_by_column(tmp_path: Path) -> None:
    frame = pl.DataFrame({"bell": ["secret\x07"]})
    with pytest.raises(mv.FileError, match="column 'bell'") as caught:
        write(frame, tmp_path / "t.ods")
    assert not re.search("secret", str(caught.value))
    assert not list(tmp_path.iterdir())


def test_a_release_in_ods_is_verified_on_what_the_file_holds(tmp_path: Path) -> None:
    frame = pl.DataFrame({"key": ["x", "x", "y", "y"], "ill": ["a", "b", "a", "b"]})
    roles = mv.Roles(quasi_identifiers=["key"], sensitive=["ill"])
    release = mv.run(mv.Recipe(roles=roles, require=[mv.KAnonymity(k=2)]), frame)
    release.write(tmp_path / "t.ods")
    assert sorted(mv.read(tmp_path / "t.ods")["key"].to_list()) == ["x", "x", "y", "y"]
