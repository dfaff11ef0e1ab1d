"""The whole path in a real browser: from an example to a verified file."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from microveil.web.project.examples import patients
from tests.web.browser.chromium import open_example, settled, suggest

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEYS = ["sex", "age", "postcode", "occupation"]
N_RECORDS = 400
MOST_REQUESTS = 25
MOST_BYTES = 600_000


def _download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as coming:
        page.get_by_role("link", name=name).click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path


def test_from_a_file_to_a_verified_release(page: Page, address: str, tmp_path: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    source = tmp_path / "patients.csv"
    patients(N_RECORDS).write_csv(source)
    page.set_input_files("#data-file", source)
    page.get_by_role("heading", name="patients.csv").wait_for()
    page.get_by_role("link", name="Next: what the columns mean").click()
    page.locator("article", has_text="visits").get_by_label("Harmless").check()
    settled(page)
    page.goto(f"{address}/risk")
    assert page.locator(".stat-value").first.inner_text() == "1"
    suggest(page, address, 4)
    page.goto(f"{address}/compare")
    page.get_by_role("button", name="Take anybody").click()
    page.locator("td", has_text=re.compile(r"\d\. [A-Z]")).first.wait_for()
    page.goto(f"{address}/release")
    page.get_by_role("button", name="Check now").click()
    page.get_by_text("4-anonymity holds").wait_for()
    page.get_by_role("button", name="Make the release").click()
    page.get_by_text("The release is made").wait_for(timeout=240_000)
    released = _download(page, "Released data", tmp_path)
    recipe = _download(page, "Recipe", tmp_path)
    script = _download(page, "Python", tmp_path)
    assert [url for url in asked if not url.startswith(address)] == []
    _counted(released)
    _run_again(recipe, script, released, source)


def _counted(path: Path) -> None:
    """Count from outside: nobody alone, no names, every record there."""
    frame = pl.read_csv(path, infer_schema=False)
    assert frame.height == N_RECORDS
    assert "name" not in frame.columns
    assert int(frame.group_by(KEYS).len()["len"].min()) >= 4  # type: ignore[arg-type]


def _run_again(recipe: Path, script: Path, released: Path, source: Path) -> None:
    """The recipe that was downloaded gives the same release, and so does the script."""
    again = source.parent / "again"
    again.mkdir()
    shutil.copy(source, again / "patients.csv")
    command = [sys.executable, "-m", "microveil", "run", str(recipe), "patients.csv"]
    programs = [
        subprocess.Popen(one, cwd=again, stdout=subprocess.DEVNULL)  # noqa: S603  ours
        for one in ([*command, "--out", "cli.csv"], [sys.executable, str(script)])
    ]
    assert [one.wait(120) for one in programs] == [0, 0]
    first = pl.read_csv(released, infer_schema=False)
    for name in ("cli.csv", "released.csv"):
        second = pl.read_csv(again / name, infer_schema=False)
        assert first.sort(first.columns).equals(second.sort(second.columns)), name


def test_a_page_is_light_and_asks_nobody_else(page: Page, address: str) -> None:
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    sizes: list[float] = []
    asked: list[str] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.on("Network.requestWillBeSent", lambda event: asked.append(event["request"]["url"]))
    page.goto(f"{address}/data")
    page.wait_for_selector("h1")
    page.wait_for_timeout(500)
    assert len(asked) <= MOST_REQUESTS
    assert sum(sizes) <= MOST_BYTES
    assert [url for url in asked if not url.startswith(address)] == []


@pytest.mark.slow
def test_undo_redo_switching_off_and_a_reload_lose_nothing(page: Page, address: str) -> None:
    open_example(page)
    suggest(page, address, 3)
    steps = page.locator(".step")
    n = steps.count()
    page.get_by_role("button", name="Switch 1. Leave columns out off").click()
    page.locator(".step.off").wait_for()
    page.reload()
    page.locator(".step.off").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.locator(".step.off").wait_for(state="detached")
    settled(page)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("No step yet").wait_for()
    settled(page)
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Remove 1.").wait_for()
    assert steps.count() == n
    settled(page)
    assert "k: 1 → 3" in page.locator(".step").last.inner_text()


@pytest.mark.slow
def test_an_impossible_requirement_is_refused_with_what_would_mend_it(
    page: Page, address: str
) -> None:
    open_example(page)
    page.goto(f"{address}/release")
    page.locator("summary", has_text="Require something").click()
    page.locator("[data-key='require k']").fill("3")
    page.get_by_role("button", name="Require it").click()
    page.get_by_text("k-anonymity (k = 3)").wait_for()
    page.get_by_role("button", name="Check now").click()
    page.get_by_text("3-anonymity does not hold").wait_for()
    assert page.get_by_role("button", name="Make the release").is_disabled()
    page.get_by_role("button", name="Leave it out").click()
    settled(page)
    page.get_by_role("button", name="Check now").click()
    page.get_by_role("button", name="Add: Local suppression").click()
    settled(page)
    page.get_by_role("button", name="Check now").click()
    page.get_by_text("3-anonymity holds").wait_for()
    assert page.get_by_role("button", name="Make the release").is_enabled()
