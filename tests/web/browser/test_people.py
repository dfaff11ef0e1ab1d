"""Several people, keyboards, phones, and those who listen to a page."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from microveil.texts.catalogue import catalogue
from tests.web.browser.chromium import open_example, settled, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, StorageState

PAGES = ("data", "roles", "risk", "protect", "compare", "release")


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The accessibility checker, from the package registry or where AXE_CORE says it lies."""
    told = os.environ.get("AXE_CORE")
    if told:
        return Path(told).read_text(encoding="utf-8")
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: axe-core cannot be fetched (or set AXE_CORE)")
    folder = tmp_path_factory.mktemp("axe")
    fetched = subprocess.run(  # noqa: S603  a program of ours
        [npm, "install", "--silent", "--no-audit", "--prefix", str(folder), "axe-core"],
        capture_output=True,
        check=False,
    )
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if fetched.returncode or not script.exists():
        pytest.skip("axe-core cannot be fetched from the package registry (or set AXE_CORE)")
    return script.read_text(encoding="utf-8")


def test_nothing_serious_keeps_anybody_out_wide_and_narrow_light_and_dark(
    browser: Browser, address: str, axe: str, prepared: StorageState
) -> None:
    # The checker styles the page while it measures, which the page's policy would forbid.
    page = browser.new_context(bypass_csp=True, storage_state=prepared).new_page()
    page.set_default_timeout(60_000)
    found = []
    for width, dark in ((1280, False), (390, True)):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="dark" if dark else "light")
        for name in PAGES:
            page.goto(f"{address}/{name}")
            page.wait_for_selector("h1")
            page.evaluate(axe)
            result = page.evaluate("axe.run({ resultTypes: ['violations'] })")
            found += [
                (name, width, one["id"], one["nodes"][0]["html"])
                for one in result["violations"]
                if one["impact"] in ("serious", "critical")
            ]
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} is wider than the screen by {wide} px"
    page.context.close()
    assert found == []


@pytest.mark.slow
def test_two_people_do_not_see_each_other(browser: Browser, page: Page, address: str) -> None:
    open_example(page)
    other = browser.new_context().new_page()
    sign_in(other, address)
    assert other.get_by_role("heading", name="patients.csv").count() == 0
    other.goto(f"{address}/roles")
    assert other.url.endswith("/data")
    stranger = browser.new_context()
    asked = stranger.request.get(f"{address}/roles", max_redirects=0)
    assert asked.status == 303
    stranger.close()
    other.context.close()
    page.reload()
    assert page.get_by_role("heading", name="patients.csv").is_visible()


@pytest.mark.slow
def test_work_outlives_a_reload_and_can_be_cancelled(page: Page, address: str) -> None:
    open_example(page, "Adult")
    page.goto(f"{address}/compare")
    page.get_by_role("button", name="Measure all").click()
    page.get_by_role("button", name="Cancel").wait_for()
    page.reload()
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector(".job", state="detached")
    assert page.get_by_role("button", name="Measure all").is_enabled()


@pytest.mark.slow
def test_the_keyboard_is_enough(page: Page, address: str) -> None:
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the content"
    page.get_by_role("button", name="Patients").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".table-box")
    settled(page)
    page.goto(f"{address}/risk")
    box = page.get_by_label("visits", exact=True).first
    box.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Take these as keys").wait_for()
    assert page.locator(":focus").get_attribute("data-key") == "key visits"
    page.get_by_role("button", name="Take these as keys").focus()
    page.keyboard.press("Enter")
    settled(page)
    page.goto(f"{address}/roles")
    page.wait_for_selector("article")
    assert page.locator("article", has_text="visits").get_by_label("Undecided").is_checked()


ENGLISH_ONLY = sorted(
    sentence
    for key, forms in catalogue("en").sentences.items()
    for sentence in forms
    if len(sentence) > 8
    and "{" not in sentence
    and sentence not in catalogue("es").sentences.get(key, (sentence,))
)
"""Sentences that a Spanish page has no business to show."""
ENGLISH_CHOICES = {
    word.replace("_", " ")
    for key, (told, *_) in catalogue("es").sentences.items()
    for head, _, word in [key.partition(".")]
    if head in {"choice", "name"} and told.lower() != word
}


def _all_spanish(page: Page) -> None:
    shown = page.locator("body").inner_text()
    assert [one for one in ENGLISH_ONLY if one in shown] == []
    offered = {one.strip() for one in page.locator("select option").all_inner_texts()}
    assert sorted(offered & ENGLISH_CHOICES) == []


def test_spanish_speakers_read_spanish_everywhere(
    browser: Browser, address: str, prepared: StorageState
) -> None:
    greeted = browser.new_context(locale="es-ES").new_page()
    sign_in(greeted, address)
    greeted.get_by_role("heading", name="¿Qué datos quiere publicar?").wait_for()
    assert greeted.evaluate("document.documentElement.lang") == "es"
    greeted.context.close()
    context = browser.new_context(storage_state=prepared)
    page = context.new_page()
    page.goto(f"{address}/data")
    page.get_by_label("Language").select_option("es")
    page.get_by_label("Idioma").wait_for()
    for name in ("data", "roles", "risk", "compare", "release", "protect"):
        page.goto(f"{address}/{name}")
        page.wait_for_selector("h1")
        _all_spanish(page)
    page.locator("[data-key='require kind']").evaluate(
        "(one) => { one.closest('details').open = true }"
    )
    page.locator("[data-key='require kind']").select_option("t_closeness")
    page.locator("[data-key='require distance']").wait_for(state="attached")
    page.locator("summary[data-key='family search']").click()
    page.locator("[data-key='method optimal_generalization']").click()
    page.locator("[data-key='form strategy']").wait_for(state="attached")
    _all_spanish(page)
    page.get_by_label("Idioma").select_option("en")
    page.get_by_role("heading", name="Make the data safer").wait_for()
    context.close()
