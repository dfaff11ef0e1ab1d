"""Several tables: links are proposed and drawn, and all tables leave together or none does."""

from __future__ import annotations

import zipfile
from pathlib import Path

import polars as pl

from microveil.web import linked_actions
from microveil.web.pages.linked import PAPERS, content
from tests.web.drawing import Drawn, Paper, drawn, paper

PATIENTS = pl.DataFrame(
    {"id": range(12), "name": [f"p{i}" for i in range(12)], "sex": ["f", "m"] * 6}
)
VISITS = pl.DataFrame(
    {"patient_id": [i % 12 for i in range(24)], "ward": ["a", "b"] * 12, "cost": range(24)}
)


def _draw(page: Paper) -> Drawn:
    return drawn(lambda: content(page))


def opened(folder: Path) -> Paper:
    page = paper(folder, name="linked", empty=True)
    with zipfile.ZipFile(folder / "hospital.zip", "w") as packed:
        packed.writestr("hospital/patients.csv", PATIENTS.write_csv())
        packed.writestr("hospital/visits.csv", VISITS.write_csv())
    linked_actions.take_tables(page.session, folder / "hospital.zip", "hospital.zip")
    assert page.session.notice is None
    return page


def test_links_are_proposed_and_drawn(tmp_path: Path) -> None:
    page = opened(tmp_path)
    assert not (tmp_path / "hospital.zip").exists()
    found = _draw(page)
    assert len(found.all("rect")) == 2
    assert len(found.all("path")) == 1
    key = "link visits.patient_id -> patients.id"
    assert found.shown(key) == "true"
    assert found.shown("people table") == "patients"
    found.enter(key, False)
    assert _draw(page).all("path") == []


def test_all_tables_leave_as_one_package(tmp_path: Path) -> None:
    page = opened(tmp_path)
    _draw(page).enter("role patients.name", "identifiers")
    _draw(page).enter("role patients.sex", "quasi_identifiers")
    _draw(page).enter("k", "3")
    _draw(page).click("run linked")
    assert page.session.notice is None
    found = _draw(page)
    assert "✔" in found.texts
    links = [node.props["download"] for node in found.all("a") if "download" in node.props]
    assert len(links) == len(PAPERS)
    work = page.session.linked
    assert work is not None
    assert work.target is not None
    with zipfile.ZipFile(work.target / "released.zip") as packed:
        assert packed.namelist() == ["patients.csv", "visits.csv"]
        released = pl.read_csv(packed.read("patients.csv"))
    assert "name" not in released.columns


def test_nothing_is_written_while_a_requirement_fails(tmp_path: Path) -> None:
    page = opened(tmp_path)
    found = _draw(page)
    recipe = page.session.linked.draft.recipe().to_yaml()  # type: ignore[union-attr]
    assert "suppress: true" in recipe
    text = recipe.replace("suppress: true", "suppress: false").replace("k: 5", "k: 13")
    found.enter("linked recipe", text)
    _draw(page).click("run typed")
    assert page.session.notice is None
    found = _draw(page)
    assert "✘" in found.texts
    assert page.text("linked.refused") in found.texts
    assert not [node for node in found.all("a") if "download" in node.props]
