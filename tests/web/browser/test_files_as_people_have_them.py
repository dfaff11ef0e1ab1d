"""From a hospital's CSV to a release that a recount by people confirms."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import microveil as mv
from microveil.studies.examples import EXAMPLES
from tests.web.browser.chromium import settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.slow
K = 5


def _download(page: Page, name: str, folder: Path) -> Path:
    with page.expect_download() as coming:
        page.get_by_role("link", name=name).click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    return path


def _open(page: Page, address: str, name: str, target: Path) -> None:
    example = EXAMPLES[name]
    example.write(example.draw(700, 1), target)
    page.set_default_timeout(240_000)
    page.set_input_files("#data-file", target)
    page.get_by_role("heading", name=target.name).wait_for()
    settled(page)
    page.goto(f"{address}/protect")
    page.wait_for_selector("h1")


def _in_order(recipe: Path, data: Path) -> pl.DataFrame:
    """The rows that the same recipe gives on the command line, in the order of the file."""
    out = data.with_name("in_order.csv")
    command = [sys.executable, "-m", "microveil", "run", str(recipe), str(data)]
    done = subprocess.run(  # noqa: S603  a program of ours
        [*command, "--out", str(out), "--keep-order"], capture_output=True, check=False, text=True
    )
    assert done.returncode == 0, done.stderr
    return pl.read_csv(out, infer_schema=False)


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
