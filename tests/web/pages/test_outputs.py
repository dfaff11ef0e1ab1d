"""Outputs: a package is checked as one system, and what can be derived is named."""

from __future__ import annotations

import zipfile
from pathlib import Path

from microveil.web import table_actions
from microveil.web.pages.outputs import content
from tests.web.drawing import Drawn, Paper, drawn, paper

SAFE = "ill,count\nflu,40\ncold,44\nTotal,84\n"
DERIVED = "town,count\nAmes,41\nBern,\nCork,40\nTotal,84\n"


def _draw(page: Paper) -> Drawn:
    return drawn(lambda: content(page))


def _pack(path: Path, **files: str) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in files.items():
            packed.writestr(f"results/{name}.csv", text)
    return path


def _checked(folder: Path, **files: str) -> tuple[Paper, Drawn]:
    page = paper(folder, name="outputs", empty=True)
    assert _draw(page).by_key("check outputs").props["disabled"] is True
    table_actions.take_outputs(page.session, _pack(folder / "o.zip", **files), "o.zip")
    _draw(page).click("check outputs")
    assert page.session.notice is None
    return page, _draw(page)


def test_safe_outputs_pass(tmp_path: Path) -> None:
    page, found = _checked(tmp_path, towns=SAFE)
    assert page.text("outputs.all_pass") in found.texts
    assert not found.all("table")


def test_a_cell_that_can_be_derived_is_named_with_its_output(tmp_path: Path) -> None:
    page, found = _checked(tmp_path, towns=SAFE, more=DERIVED)
    assert page.text("outputs.all_fail") in found.texts
    assert "Bern" in found.texts
    assert "results/more.csv" in found.texts
    assert any("subtraction: 3 is below 10" in told for told in found.texts)


def test_the_threshold_is_a_number_of_the_project(tmp_path: Path) -> None:
    page, found = _checked(tmp_path, more=DERIVED)
    found.enter("threshold", "3")
    found.click("check outputs")
    assert page.text("outputs.all_pass") in _draw(page).texts
