from __future__ import annotations

import json
from pathlib import Path

import pytest

import microveil as mv
from microveil.reports.contents.checklist_page import checklist_section
from microveil.reports.contents.checklists import checklists_of
from microveil.reports.words.speaking import speaking


def made() -> mv.Release:
    frame = {"town": ["A", "B"] * 30}
    roles = mv.Roles(quasi_identifiers=["town"])
    recipe = mv.Recipe(roles=roles, require=[mv.KAnonymity(k=5)], follows=["nist_sp_800_188"])
    return mv.run(recipe, frame)


def test_no_rule_no_section() -> None:
    assert checklist_section(()) is None
    assert checklist_section(None) is None


def test_the_page_shows_states_and_what_is_left_to_people() -> None:
    section = str(checklist_section(checklists_of(made())))
    assert "NIST SP 800-188" in section
    assert "for a person to decide" in section
    assert "✔" in section


def test_its_words_are_spanish_in_a_spanish_report() -> None:
    with speaking("es"):
        assert "por decidir" in str(checklist_section(checklists_of(made())))


@pytest.mark.parametrize("kind", ["html", "json", "pdf"])
def test_the_report_has_the_checklist(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"report.{kind}"
    made().report(path, made_by="Office")
    if kind == "json":
        told = json.loads(path.read_text(encoding="utf-8"))["checklists"][0]
        assert told["name"] == "nist_sp_800_188"
        assert {item["state"] for item in told["items"]} >= {"met", "open"}
    elif kind == "html":
        assert "De-Identifying Government Datasets" in path.read_text(encoding="utf-8")
    else:
        assert path.stat().st_size > 1000


def test_the_public_does_not_read_it(tmp_path: Path) -> None:
    path = tmp_path / "public.json"
    made().report(path, audience="public")
    assert "checklists" not in json.loads(path.read_text(encoding="utf-8"))
