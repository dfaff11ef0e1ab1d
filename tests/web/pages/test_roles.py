"""Roles: a click or a drop gives a column its role, and the plan changes with it."""

from __future__ import annotations

from pathlib import Path

from microveil.web.pages.roles import SINGLES, content
from tests.web.drawing import PEOPLE, ROLES, drawn, paper


def test_every_column_has_a_card_with_its_role(tmp_path: Path) -> None:
    page = paper(tmp_path, name="roles")
    found = drawn(lambda: content(page))
    assert len(found.all("article")) == PEOPLE.width
    assert found.shown("role age quasi_identifiers") == "true"
    assert found.shown("role age sensitive") == "false"
    assert [found.shown(single) for single in SINGLES] == ["", "", ""]


def test_a_choice_changes_the_plan(tmp_path: Path) -> None:
    page = paper(tmp_path, name="roles")
    found = drawn(lambda: content(page))
    found.enter("role age sensitive", "sensitive")
    assert page.project.plan.roles.quasi_identifiers == ("sex",)
    assert set(page.project.plan.roles.sensitive) == {"ill", "age"}
    drawn(lambda: content(page)).enter("household", "name")
    assert page.project.plan.roles.household == "name"
    drawn(lambda: content(page)).click(page.text("roles.suggested"))
    assert page.project.plan.roles == page.project.inspection.roles


def test_a_column_is_dropped_on_a_lane(tmp_path: Path) -> None:
    page = paper(tmp_path, name="roles")
    found = drawn(lambda: content(page))
    lanes = [node for node in found.nodes if node.props.get("data-lane") == "column"]
    assert len(lanes) == 5
    from microveil.web.pages.roles import _give

    _give(page, "none", "no such column")
    assert page.project.plan.roles == ROLES
    _give(page, "none", "sex")
    assert page.project.plan.roles.quasi_identifiers == ("age",)


def test_a_scenario_is_added_and_removed(tmp_path: Path) -> None:
    page = paper(tmp_path, name="roles")
    found = drawn(lambda: content(page))
    found.enter("scenario sex", value=True)
    found.enter("scenario ill", value=True)
    found.enter("scenario sex", value=False)
    found.click(page.text("scenario.add"))
    (name,) = page.project.plan.roles.scenarios
    assert page.project.plan.roles.scenarios[name] == ("ill",)
    assert page.form("scenario") == {}
    drawn(lambda: content(page)).click(f"drop {name}")
    assert page.project.plan.roles.scenarios == {}


def test_a_column_with_a_special_task_is_not_called_undecided(tmp_path: Path) -> None:
    page = paper(tmp_path, name="roles")
    drawn(lambda: content(page)).enter("household", "name")
    found = drawn(lambda: content(page))
    assert found.texts.count(page.text("role.household")) == 2  # the card's choice, and the field
    assert page.text("roles.drag") in found.texts  # nothing is in the lane of what is undecided
    assert found.shown("role name none") == "true"
