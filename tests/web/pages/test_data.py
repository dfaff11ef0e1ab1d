"""Data: what is open is shown, how it is read can be changed, and work can be saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from microveil.files import FORMATS, Labels
from microveil.web.pages.data import ROWS, _cells, _kind, content, suffixes
from microveil.web.project.examples import EXAMPLES
from microveil.web.project.saved import opened_project
from tests.web.drawing import PEOPLE, drawn, paper


def test_without_data_there_is_a_place_to_open_some(tmp_path: Path) -> None:
    page = paper(tmp_path, name="data", empty=True)
    found = drawn(lambda: content(page))
    assert page.text("data.open") in found.texts
    assert found.keys_of("example ") == [f"example {name}" for name in EXAMPLES]
    assert "rows after" not in found.keys
    accepted = str(found.by_key("data-file").props["accept"]).split(",")
    assert accepted == suffixes() == [one for known in FORMATS for one in known.suffixes]


def test_rows_are_shown_page_by_page(tmp_path: Path) -> None:
    page = paper(tmp_path, name="data")
    first = drawn(lambda: content(page))
    assert "p0" in first.texts
    assert "p10" not in first.texts
    assert "rows before" in first.keys
    assert first.by_key("rows before").props["disabled"] is True
    first.click("rows after")
    assert page.form("preview")["start"] == ROWS
    second = drawn(lambda: content(page))
    assert "p10" in second.texts
    assert "∅" in second.texts
    assert second.by_key("rows after").props["disabled"] is True
    second.click("rows after")  # one that was on its way already
    assert page.form("preview")["start"] == ROWS
    drawn(lambda: content(page)).click("rows before")
    assert page.form("preview")["start"] == 0


def test_a_project_is_saved_with_or_without_its_data(tmp_path: Path) -> None:
    page = paper(tmp_path, name="data")
    for with_data in (False, True):
        page.form("project")["data"] = with_data
        drawn(lambda: content(page)).click(page.text("project.save"))
        address, name = page.session.offered["project"]
        path, shown = page.session.downloads[address.removeprefix("/download/")]
        assert shown == name == "microveil-project.json"
        saved = opened_project(path.read_text(encoding="utf-8"))
        assert saved.plan == page.project.plan
        assert (saved.data is not None) is with_data
    assert name in str([node.props.get("download") for node in drawn(lambda: content(page)).nodes])


def test_how_a_file_is_read_can_be_changed(tmp_path: Path) -> None:
    page = paper(tmp_path, name="data")
    session = page.session
    session.upload, session.upload_name = tmp_path / "people.csv", "people.csv"
    PEOPLE.write_csv(session.upload, separator="|")
    found = drawn(lambda: content(page))
    found.enter(page.text("data.separator"), "|")
    assert session.read_options == {"separator": "|"}
    found = drawn(lambda: content(page))
    found.enter(page.text("data.type", column="age"), "text")
    assert session.read_options["types"] == {"age": "text"}
    assert page.project.frame.schema["age"] == pl.String
    found = drawn(lambda: content(page))
    found.enter(page.text("data.separator"), "")
    assert "separator" not in session.read_options


def test_types_are_told_in_a_word(tmp_path: Path) -> None:
    page = paper(tmp_path, name="data", empty=True)
    kinds = (pl.Int8(), pl.Float64(), pl.Date(), pl.Boolean(), pl.String())
    told = [_kind(page, kind) for kind in kinds]
    names = ("integer", "number", "date", "boolean", "text")
    assert told == [page.text(f"type.{name}") for name in names]


def test_lists_and_records_in_cells_are_shown_as_they_are_written() -> None:
    cells: dict[str, list[Any]] = {
        "list": [[1, 2], None],
        "struct": [{"a": 1, "b": "x"}, {"a": None, "b": "y"}],
    }
    shown = [_cells(pl.Series(name, one), Labels()).to_list() for name, one in cells.items()]
    assert shown == [["[1, 2]", None], ["{'a': 1, 'b': 'x'}", "{'a': None, 'b': 'y'}"]]
