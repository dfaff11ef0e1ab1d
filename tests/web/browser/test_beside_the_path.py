"""The pages beside the path in a browser: several tables, tables, outputs and releases."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.web.browser.chromium import open_example, settled, suggest, tab_to
from tests.web.pages.test_linked import PATIENTS, VISITS
from tests.web.pages.test_outputs import DERIVED, SAFE, _pack

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
WIDTHS = (1280, 390)


def _fits(page: Page) -> None:
    """Nothing lies outside a screen, whether wide or narrow."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1280, "height": 900})


def test_tables_are_protected_and_noted_and_a_release_beside_them(
    page: Page, address: str, tmp_path: Path
) -> None:
    open_example(page)
    suggest(page, address, 3)
    page.goto(f"{address}/releases")
    page.get_by_label("Registry file or address").fill(str(tmp_path / "r.db"))
    page.get_by_label("File of its key").fill(str(tmp_path / "r.key"))
    page.get_by_role("button", name="Create").click()
    page.get_by_text("0 releases").wait_for()
    page.goto(f"{address}/tables")
    for name in ("occupation", "disease"):
        page.get_by_label(name, exact=True).check()
        page.wait_for_timeout(500)
    page.get_by_label("Fewest people in a cell").fill("20")
    page.get_by_role("button", name="Show the unsafe cells").click()
    page.locator("td.cell-unsafe").first.wait_for()
    _fits(page)
    tab_to(page, "tables do")
    page.keyboard.press("Enter")
    page.get_by_text("No unsafe cell can be computed").wait_for()
    page.get_by_role("button", name="Make the files").click()
    with page.expect_download() as fetched:
        page.get_by_role("link", name="Workbook").click()
    assert fetched.value.suggested_filename == "tables.xlsx"
    settled(page)
    page.goto(f"{address}/releases")
    page.get_by_role("button", name="Compare with what was released").click()
    page.get_by_role("button", name="Accept").wait_for()
    _fits(page)
    if page.get_by_label("Release it all the same").count():
        page.get_by_label("Release it all the same").check()
        page.wait_for_timeout(500)
    page.get_by_role("button", name="Accept").click()
    page.get_by_text("the registry has it as").wait_for()
    page.get_by_text("2 releases").wait_for()


def test_outputs_are_checked_together(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(f"{address}/outputs")
    page.set_input_files("#outputs-file", _pack(tmp_path / "o.zip", ill=SAFE, towns=DERIVED))
    page.get_by_text("o.zip").wait_for()
    tab_to(page, "check outputs")
    page.keyboard.press("Enter")
    page.get_by_text("may not leave like this").wait_for()
    assert page.get_by_role("cell", name="Bern").count() == 1
    _fits(page)


def test_several_tables_leave_as_one_package(page: Page, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "h.zip", "w") as packed:
        packed.writestr("patients.csv", PATIENTS.write_csv())
        packed.writestr("visits.csv", VISITS.write_csv())
    page.set_input_files("#linked-file", tmp_path / "h.zip")
    page.locator("svg.links rect").first.wait_for()
    page.get_by_role("link", name="Next: protect these tables together").click()
    page.get_by_label("Table with one row for each person").wait_for()
    tab_to(page, "run linked")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="All tables").wait_for()
    _fits(page)
    with page.expect_download() as fetched:
        page.get_by_role("link", name="All tables").click()
    assert fetched.value.suggested_filename == "released.zip"
