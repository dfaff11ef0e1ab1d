"""Files of all sorts, opened as a person opens them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from tests import postgresql
from tests.web.browser.chromium import open_example, serving, settled, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page

EVIL = "<img src=x onerror=alert(1)>`${1}"


def _send(page: Page, path: Path) -> None:
    page.set_input_files("#data-file", path)


@pytest.mark.slow
def test_a_workbook_in_cyrillic_with_two_sheets(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "Перепись.xlsx"
    people = pl.DataFrame({"возраст": [31, 45], "город": ["Санкт-Петербург", "Тарту"]})
    import xlsxwriter

    with xlsxwriter.Workbook(path) as book:
        pl.DataFrame({"note": ["empty"]}).write_excel(book, worksheet="Обложка")
        people.write_excel(book, worksheet="Люди")
    _send(page, path)
    page.get_by_role("heading", name="Перепись.xlsx").wait_for()
    page.locator("summary", has_text="How the file is read").click()
    page.get_by_label("Sheet").select_option("Люди")
    page.get_by_text("Санкт-Петербург").wait_for()


@pytest.mark.slow
def test_a_stata_file_keeps_its_labels_on_the_way_out(page: Page, tmp_path: Path) -> None:
    import pyreadstat

    path = tmp_path / "survey.dta"
    rows = {"sex": [1, 2] * 20, "age": [30, 40] * 20}
    pyreadstat.write_dta(
        pl.DataFrame(rows).to_pandas(), path, variable_value_labels={"sex": {1: "man", 2: "woman"}}
    )
    _send(page, path)
    page.get_by_role("heading", name="survey.dta").wait_for()
    settled(page)
    address = page.url.rsplit("/", 1)[0]
    page.goto(f"{address}/release")
    page.get_by_label("Format of the data").select_option(".dta")
    page.get_by_role("button", name="Check now").click()
    settled(page)
    page.get_by_role("button", name="Make the release").click()
    page.get_by_text("The release is made").wait_for()
    with page.expect_download() as coming:
        page.get_by_role("link", name="Released data").click()
    coming.value.save_as(tmp_path / "out.dta")
    _, labels = pyreadstat.read_dta(tmp_path / "out.dta")
    assert labels.variable_value_labels["sex"] == {1: "man", 2: "woman"}


def test_a_bad_file_and_an_unknown_kind_are_told_and_nothing_is_lost(
    page: Page, tmp_path: Path
) -> None:
    open_example(page)
    bad = tmp_path / "bad.parquet"
    bad.write_bytes(b"this is no parquet file")
    _send(page, bad)
    page.locator(".notice.error").wait_for()
    assert "bad.parquet" not in page.locator("h2").first.inner_text()
    page.get_by_role("button", name="Dismiss").click()
    strange = tmp_path / "a.exe"
    strange.write_bytes(b"MZ")
    _send(page, strange)
    page.get_by_text("Unknown kind of file").wait_for()
    assert page.get_by_role("heading", name="patients.csv").is_visible()


def test_markup_in_names_and_cells_is_shown_and_never_run(page: Page, tmp_path: Path) -> None:
    seen: list[str] = []

    def noted(dialog: Dialog) -> None:
        seen.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", noted)
    path = tmp_path / "evil.csv"
    pl.DataFrame({EVIL: [EVIL, "x"], "age": [30, 40]}).write_csv(path)
    _send(page, path)
    page.locator("th", has_text=EVIL).wait_for()
    address = page.url.rsplit("/", 1)[0]
    for name in ("roles", "risk", "protect", "compare"):
        page.goto(f"{address}/{name}")
        page.wait_for_selector("h1")
    page.locator("summary", has_text=EVIL).wait_for()
    assert page.locator("img").count() == 0
    assert seen == []


@pytest.mark.slow
def test_a_saved_project_goes_on_after_the_server_was_restarted(
    browser: Browser, tmp_path: Path
) -> None:
    saved = tmp_path / "project.json"
    with serving() as (address, invitation, _):
        page = browser.new_context().new_page()
        page.goto(invitation)
        open_example(page)
        page.goto(f"{address}/roles")
        page.locator("article", has_text="visits").get_by_label("Harmless").check()
        settled(page)
        page.goto(f"{address}/data")
        page.locator("summary", has_text="Save this work").click()
        page.get_by_role("button", name="Save the project").click()
        with page.expect_download() as coming:
            page.get_by_role("link", name="Download").click()
        coming.value.save_as(saved)
        page.goto(invitation)
        page.get_by_text("That did not work").wait_for()
        page.context.close()
    assert "hypertension" not in saved.read_text(encoding="utf-8")
    with serving() as (address, _, _):
        page = browser.new_context().new_page()
        sign_in(page, address)
        page.locator("summary", has_text="Save this work").click()
        page.set_input_files("#project-file", saved)
        page.get_by_text("Now open the data").wait_for()
        open_example(page)
        page.goto(f"{address}/roles")
        page.wait_for_selector("article")
        assert page.locator("article", has_text="visits").get_by_label("Harmless").is_checked()
        page.context.close()


@pytest.mark.slow
def test_a_table_of_a_postgresql_server_is_opened_on_the_page(page: Page) -> None:
    programs = postgresql.binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (initdb not found); install package postgresql")
    psycopg = pytest.importorskip("psycopg")
    with postgresql.running(programs) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE towns (town text, people int)")
            connection.execute("INSERT INTO towns VALUES ('Tartu', 97), ('Vic', 48)")
        page.locator("summary", has_text="Or read a table from a database").click()
        user, _, rest = url.removeprefix("postgresql://").partition(":")
        secret, _, host = rest.partition("@")
        for name, value in {
            "address": f"postgresql://{host}",
            "user": user,
            "password": secret,
        }.items():
            page.locator(f"[data-key='database {name}']").fill(value)
        page.get_by_role("button", name="Show the tables").click()
        page.locator("[data-key='database table']").select_option("towns")
        page.get_by_role("button", name="Read the table").click()
        page.get_by_role("heading", name="table=towns").wait_for()
        page.get_by_role("cell", name="Tartu").wait_for()
        settled(page)
        assert secret not in page.content()
