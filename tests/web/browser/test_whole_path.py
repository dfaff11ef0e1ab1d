"""The long way round: Adult, other alphabets, phones, keyboards, and programs that do the same."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from microveil.web.project.examples import adult, patients
from tests.web.browser.chromium import open_example, settled, sign_in, suggest, tab_to

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow
KEYS = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass",
        "occupation"]  # fmt: skip


def download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as coming:
        page.get_by_role("link", name=name).click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path


def released(page: Page, address: str, folder: Path) -> dict[str, Path]:
    page.goto(f"{address}/release")
    page.get_by_role("button", name="Check now").click()
    settled(page)
    page.get_by_role("button", name="Make the release").click()
    page.get_by_text("The release is made").wait_for(timeout=400_000)
    wanted = {"data": "Released data", "recipe": "Recipe", "script": "Python"}
    return {what: download(page, name, folder) for what, name in wanted.items()}


def same(first: Path, second: Path) -> bool:
    one, other = (pl.read_csv(path, infer_schema=False) for path in (first, second))
    return one.sort(one.columns).equals(other.sort(other.columns))


def test_adult_from_the_example_to_three_equal_releases(
    page: Page, address: str, tmp_path: Path
) -> None:
    page.set_default_timeout(240_000)
    open_example(page, "Adult")
    suggest(page, address, 5)
    files = released(page, address, tmp_path)
    frame = pl.read_csv(files["data"], infer_schema=False)
    assert frame.height == adult().height
    assert int(frame.group_by(KEYS).len()["len"].min()) >= 5  # type: ignore[arg-type]
    folder = tmp_path / "again"
    folder.mkdir()
    adult().write_csv(folder / "adult.csv")
    command = [sys.executable, "-m", "microveil", "run", str(files["recipe"]), "adult.csv"]
    subprocess.run([*command, "--out", "cli.csv"], check=True, cwd=folder, capture_output=True)  # noqa: S603
    assert same(files["data"], folder / "cli.csv")
    program = [sys.executable, str(files["script"])]
    subprocess.run(program, check=True, cwd=folder, capture_output=True)  # noqa: S603
    assert same(files["data"], folder / "released.csv")


def test_a_cyrillic_workbook_leaves_as_a_workbook(page: Page, address: str, tmp_path: Path) -> None:
    path = tmp_path / "Перепись.xlsx"
    made = patients(120).select(
        pl.col("age").alias("возраст"),
        pl.col("sex").replace_strict({"f": "жен", "m": "муж"}).alias("пол"),
        pl.col("disease").alias("болезнь"),
    )
    made.write_excel(path)
    page.set_input_files("#data-file", path)
    page.get_by_role("heading", name="Перепись.xlsx").wait_for()
    settled(page)
    page.goto(f"{address}/roles")
    for name, role in (("возраст", "Key"), ("пол", "Key"), ("болезнь", "Secret")):
        page.locator(f"article[data-name='{name}']").get_by_label(role).check()
    settled(page)
    page.goto(f"{address}/protect")
    page.get_by_label("k to reach").fill("4")
    page.get_by_role("button", name="Suggest steps").click()
    page.get_by_text(re.compile(r"k: \d+ → ([4-9]|\d\d)")).first.wait_for()
    settled(page)
    page.goto(f"{address}/release")
    page.get_by_label("Format of the data").select_option(".xlsx")
    files = released(page, address, tmp_path)
    frame = pl.read_excel(files["data"])
    assert set(frame.columns) == set(made.columns)
    assert frame.height == 120
    assert int(frame.group_by("возраст", "пол").len()["len"].min()) >= 4  # type: ignore[arg-type]


def test_the_whole_path_by_keyboard_alone(page: Page, address: str) -> None:
    tab_to(page, "example patients")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table-box")
    settled(page)
    page.goto(f"{address}/roles")
    page.wait_for_selector("article")
    tab_to(page, "role visits quasi_identifiers")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    settled(page)
    assert page.locator("article[data-name='visits']").get_by_label("Harmless").is_checked()
    page.goto(f"{address}/protect")
    page.wait_for_selector("h1")
    tab_to(page, "suggest k")
    page.keyboard.type("3")
    tab_to(page, "suggest")
    page.keyboard.press("Enter")
    page.get_by_text(re.compile(r"k: \d+ → 3")).first.wait_for()
    settled(page)
    tab_to(page, page.locator("[data-key^='step.down']").first.get_attribute("data-key") or "")
    page.keyboard.press("Enter")
    page.get_by_text("2. Leave columns out").wait_for()
    settled(page)
    page.goto(f"{address}/release")
    page.wait_for_selector("h1")
    tab_to(page, "Check now")
    page.keyboard.press("Enter")
    page.get_by_text("3-anonymity holds").wait_for()
    settled(page)
    tab_to(page, "make")
    page.keyboard.press("Enter")
    page.get_by_text("The release is made").wait_for(timeout=240_000)


def test_the_whole_path_on_a_phone(browser: Browser, address: str, tmp_path: Path) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, locale="en-GB"
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    sign_in(page, address)
    page.get_by_role("button", name="Patients").tap()
    page.wait_for_selector(".table-box")
    settled(page)
    suggest(page, address, 3)
    for name in ("data", "roles", "risk", "protect", "compare", "release"):
        page.goto(f"{address}/{name}")
        page.wait_for_selector("h1")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
    files = released(page, address, tmp_path)
    frame = pl.read_csv(files["data"], infer_schema=False)
    keys = ["sex", "age", "postcode", "occupation", "visits"]
    assert int(frame.group_by(keys).len()["len"].min()) >= 3  # type: ignore[arg-type]
    context.close()
