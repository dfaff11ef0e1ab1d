"""Tables in the app: counted with unsafe cells, protected, and written only if they hold."""

from __future__ import annotations

import zipfile
from pathlib import Path

from microveil.progress import silent
from microveil.registry.records.verifying import verify_record
from microveil.tabulation.plan import TablePlan
from microveil.web.project.states import write_frame
from microveil.web.project.tabulating import count_tables, protect_tables
from tests.web.drawing import PEOPLE

PLAN = TablePlan.from_yaml("tables: [{by: [ill, sex]}]")


def _data(folder: Path) -> Path:
    write_frame(PEOPLE, folder / "d.arrow")
    return folder / "d.arrow"


def test_counted_tables_show_true_values_and_what_is_unsafe(tmp_path: Path) -> None:
    view = count_tables(_data(tmp_path), PLAN, silent)
    (table,) = view.tables
    assert (table.down, table.across) == (("ill",), ("Total", "f", "m"))
    assert [cell.true for cell in dict(table.lines)["cold",]] == [4, 2, 2]
    assert [cell.status for cell in dict(table.lines)["cold",]] == ["safe", "unsafe", "unsafe"]
    assert not view.holds


def test_protected_tables_are_written_with_a_record_that_fits(tmp_path: Path) -> None:
    data, folder = _data(tmp_path), tmp_path / "out"
    view = protect_tables(data, PLAN, 1, silent)
    assert view.holds
    assert not view.files
    assert view.intervals
    folder.mkdir()
    view = protect_tables(data, PLAN, 1, silent, folder)
    assert verify_record(folder / "record.json", folder / view.files["xlsx"]).holds
    with zipfile.ZipFile(folder / view.files["csv"]) as packed:
        names = packed.namelist()
        (csv,) = [name for name in names if name.endswith(".csv")]
        assert b"cold,f,,confidential" in packed.read(csv).replace(b"\r", b"")
