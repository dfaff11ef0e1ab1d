"""Protect: steps are added by their form, changed, undone, and shown on the map."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.app.effects import Effect
from microveil.errors import MicroveilError
from microveil.methods import METHODS, Drop, LocalSuppression
from microveil.tables import Roles, Table, standing
from microveil.web.pages.protect import content, point_of
from tests.web.drawing import paper, ready

FOUR = Table({"sex": ["f"] * 4}, Roles(quasi_identifiers=["sex"]))


def test_every_method_can_be_begun(tmp_path: Path) -> None:
    page = paper(tmp_path)
    found = ready(page, lambda: content(page))
    methods = {key.removeprefix("method ") for key in found.keys_of("method ")}
    assert methods == set(METHODS.classes)
    assert page.text("protect.empty") in found.texts


def test_a_step_is_typed_added_undone_and_redone(tmp_path: Path) -> None:
    page = paper(tmp_path)
    ready(page, lambda: content(page)).click("method local_suppression")
    assert page.form("step") == {"kind": "local_suppression"}
    found = ready(page, lambda: content(page))
    found.enter("form k", "2")
    found.click("step done")
    assert page.project.recipe.steps == (LocalSuppression(k=2),)
    assert page.form("step") == {}
    found = ready(page, lambda: content(page))
    assert found.by_key("redo").props["disabled"] is True
    found.click("undo")
    assert not page.project.recipe.steps
    ready(page, lambda: content(page)).click("redo")
    assert len(page.project.recipe.steps) == 1


def test_a_form_that_is_not_finished_changes_nothing(tmp_path: Path) -> None:
    page = paper(tmp_path)
    page.form("step").update(kind="mondrian")
    found = ready(page, lambda: content(page))
    found.enter("form k", "one")
    with pytest.raises(MicroveilError):
        found.click("step done")
    assert page.project.recipe.steps == ()
    found.click("step back")
    assert page.form("step") == {}


def test_the_map_needs_two_states(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    page = paper(tmp_path / "a")
    assert page.text("map.title") not in ready(page, lambda: content(page)).texts
    page = paper(tmp_path, Drop(columns=["name"]))
    assert page.text("map.title") in ready(page, lambda: content(page)).texts


def test_a_point_says_what_it_stands_for(tmp_path: Path) -> None:
    page = paper(tmp_path)
    point = point_of("now", Effect(12, 0.5, standing(FOUR)), page, "now")
    assert (point.label, point.risk, point.loss, point.kind) == ("now", 0.25, 0.5, "now")
    assert "25%" in point.note
    assert point_of("x", Effect(12, 0.5), page).risk == 0


def test_the_reasons_of_suggested_steps_stand_beside_them_until_they_change(tmp_path: Path) -> None:
    page = paper(tmp_path)
    found = ready(page, lambda: content(page))
    assert page.text("protect.why") not in found.texts
    found.enter("suggest k", "2")
    found.click("suggest")
    found = ready(page, lambda: content(page))
    assert page.text("protect.why") in found.texts
    assert all(page.say(reason) in found.texts for reason in page.project.why)
    found.click("undo")
    assert page.text("protect.why") not in ready(page, lambda: content(page)).texts
