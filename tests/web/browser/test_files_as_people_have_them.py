"""From a hospital's CSV and a survey in SPSS to releases that recounts confirm."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import microveil as mv
from microveil.studies.examples import EXAMPLES
from tests.web.browser.chromium import settled, tab_to
from tests.web.browser.household_survey import write_survey

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
K = 5
TEN_MINUTES = 600.0


def _download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as coming:
        page.get_by_role("link", name=name).click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path


def _open(page: Page, address: str, name: str, target: Path) -> None:
    example = EXAMPLES[name]
    example.write(example.draw(700, 1), target)
    _read_in(page, address, target)


def _read_in(page: Page, address: str, target: Path) -> None:
    page.set_default_timeout(500_000)
    page.set_input_files("#data-file", target)
    page.get_by_role("heading", name=target.name).wait_for()
    settled(page)
    page.goto(f"{address}/protect")
    page.wait_for_selector("h1")


def _in_order(recipe: Path, data: Path) -> pl.DataFrame:
    """The rows that the same recipe gives on the command line, in the order of the file."""
    out = data.with_name(f"in_order{data.suffix}")
    command = [sys.executable, "-m", "microveil", "run", str(recipe), str(data)]
    done = subprocess.run(  # noqa: S603  a program of ours
        [*command, "--out", str(out), "--keep-order"], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    return pl.read_csv(out, infer_schema=False) if data.suffix == ".csv" else mv.read(out)


def _shown(recipe: Path, frame: pl.DataFrame) -> list[str]:
    keys = mv.Recipe.read(recipe).roles.quasi_identifiers
    return [name for name in keys if name in frame.columns]


def test_a_discharge_file_by_mouse(page: Page, address: str, tmp_path: Path) -> None:
    data = tmp_path / "discharge.csv"
    _open(page, address, "discharge", data)
    page.get_by_label("k to reach").fill(str(K))
    page.get_by_role("button", name="Suggest steps").click()
    page.get_by_text(re.compile(rf"k: \d+ → ([{K}-9]|\d\d)")).first.wait_for()
    settled(page)
    page.goto(f"{address}/release")
    page.get_by_role("button", name="Check now").click()
    page.get_by_text(f"{K}-anonymity holds").wait_for()
    settled(page)
    page.get_by_role("button", name="Make the release").click()
    page.get_by_text("The release is made").wait_for()
    released = pl.read_csv(_download(page, "Released data", tmp_path), infer_schema=False)
    recipe = _download(page, "Recipe", tmp_path)
    again = _in_order(recipe, data)
    assert released.sort(released.columns).equals(again.sort(again.columns))
    assert not {"patient", "episode"} & set(released.columns)
    # Patients, not stays, share what is shown of them.
    keys = _shown(recipe, again)
    assert keys
    people = again.with_columns(EXAMPLES["discharge"].draw(700, 1)["patient"])
    crowds = people.group_by(keys).agg(pl.col("patient").n_unique())["patient"]
    assert int(crowds.to_numpy().min()) >= K


def _recount(before: pl.DataFrame, after: pl.DataFrame, keys: list[str]) -> None:
    """Count as three intruders do: by rows, with what other members show, by what numbers homes."""
    assert not {"idnum", "hhid", "pernum"} & set(after.columns)
    shown = after.select(keys)
    assert int(shown.group_by(keys).len()["len"].to_numpy().min()) >= K
    # What other rows of a home show is filled in wherever rows can be told to be of one home.
    for name in ("income", "hhweight"):
        if name not in after.columns:
            continue
        homes = after.select(name).with_columns(before["hhid"]).drop_nulls()
        sizes = homes.group_by(name).agg(pl.col("hhid").n_unique())["hhid"]
        told = int(sizes.filter(sizes < K).sum()) / before["hhid"].n_unique()
        assert told <= 0.1, f"{name} tells {told:.0%} of the households apart"
    # No code for a missing value is left to be counted as a value.
    for name, code in (("age", 999), ("height", 9999), ("income", -9), ("educyrs", 98)):
        if name in after.columns and after[name].dtype.is_numeric():
            assert code not in after[name].to_list()


def test_a_household_survey_by_mouse(page: Page, address: str, tmp_path: Path) -> None:
    data = tmp_path / "survey.sav"
    before = write_survey(data, 220)
    start = time.monotonic()
    _read_in(page, address, data)
    page.locator("[data-key='suggest audience']").select_option("research")
    page.get_by_role("button", name="Suggest steps").click()
    page.get_by_text(re.compile(rf"k: \d+ → ([{K}-9]|\d\d)")).first.wait_for()
    settled(page)
    page.get_by_text("Why these steps").click()
    page.get_by_text("hhid").last.wait_for()
    page.goto(f"{address}/release")
    page.get_by_role("button", name="Check now").click()
    page.get_by_text(f"{K}-anonymity holds").wait_for()
    settled(page)
    page.get_by_role("button", name="Make the release").click()
    page.get_by_text("The release is made").wait_for()
    assert time.monotonic() - start < TEN_MINUTES
    released = _download(page, "Released data", tmp_path)
    assert released.suffix == ".sav"
    recipe = _download(page, "Recipe", tmp_path)
    again = _in_order(recipe, data)
    assert mv.read(released).sort(again.columns).equals(again.sort(again.columns))
    _recount(before, again, _shown(recipe, again))


def test_a_household_survey_by_keyboard(page: Page, address: str, tmp_path: Path) -> None:
    data = tmp_path / "survey.sav"
    before = write_survey(data, 150)
    start = time.monotonic()
    _read_in(page, address, data)
    tab_to(page, "suggest k")
    page.keyboard.type(str(K))
    tab_to(page, "suggest")
    page.keyboard.press("Enter")
    page.get_by_text(re.compile(rf"k: \d+ → ([{K}-9]|\d\d)")).first.wait_for()
    settled(page)
    page.goto(f"{address}/release")
    page.wait_for_selector("h1")
    tab_to(page, "Check now")
    page.keyboard.press("Enter")
    page.get_by_text(f"{K}-anonymity holds").wait_for()
    settled(page)
    tab_to(page, "make")
    page.keyboard.press("Enter")
    page.get_by_text("The release is made").wait_for()
    assert time.monotonic() - start < TEN_MINUTES
    recipe = _download(page, "Recipe", tmp_path)
    again = _in_order(recipe, data)
    _recount(before, again, _shown(recipe, again))
