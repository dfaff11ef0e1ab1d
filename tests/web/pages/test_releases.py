"""Releases: what has left, what a new release tells beside it, and that nothing leaves unasked."""

from __future__ import annotations

from pathlib import Path

from microveil.methods import Drop, LocalSuppression
from microveil.privacy import KAnonymity
from microveil.web import actions, registry_actions
from microveil.web.pages.releases import content
from microveil.web.project.registries import RegistryPlace
from tests.web.drawing import Drawn, Paper, drawn, paper


def _paper(folder: Path) -> Paper:
    page = paper(folder, Drop(columns=["name"]), LocalSuppression(k=2), name="releases")
    place = RegistryPlace(str(folder.parent / "r.db"), str(folder.parent / "r.key"))
    registry_actions.open_registry(page.session, place, create=True)
    assert page.session.notice is None
    return page


def _draw(page: Paper) -> Drawn:
    return drawn(lambda: content(page))


def test_a_registry_is_created_and_opened_by_its_names(tmp_path: Path) -> None:
    page = paper(tmp_path, name="releases", empty=True)
    found = _draw(page)
    found.enter("registry place", str(tmp_path / "r.db"))
    found.enter("registry key", str(tmp_path / "r.key"))
    found.click("create registry")
    assert page.session.notice is None
    assert (tmp_path / "r.db").exists()
    assert page.text("releases.nothing") in _draw(page).texts
    _draw(page).click("close registry")
    assert page.session.registry is None


def test_a_release_is_compared_accepted_and_listed(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    page = _paper(folder)
    _draw(page).click("compare releases")
    found = _draw(page)
    assert "There is no earlier release to compare with." in found.texts
    found.click("accept")
    assert page.session.notice is None
    found = _draw(page)
    (entry,) = page.session.registry_view.entries  # type: ignore[union-attr]
    assert page.text("releases.noted", id=entry.id) in found.texts
    assert found.keys_of("release ") == [f"release {entry.id}"]


def test_what_releases_tell_together_must_be_taken_or_refused(tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    page = _paper(folder)
    _draw(page).click("compare releases")
    _draw(page).click("accept")
    # The same people by another key: 4 + 8, and with what was released before 2 + 2 + 4 + 4.
    plan = page.project.plan.with_require([KAnonymity(k=4)])
    roles = plan.roles.model_copy(update={"quasi_identifiers": ("ill",), "sensitive": ()})
    actions.change(page.session, plan.with_roles(roles).model_copy(update={"keep": ("sex", "age")}))
    actions.change(page.session, page.project.plan.with_step(Drop(columns=["sex", "age"])))
    _draw(page).click("compare releases")
    found = _draw(page)
    assert found.by_key("accept").props["disabled"] is True
    assert any("fewer than 4 alike" in told for told in found.texts)
    found.enter("risk taken", True)
    assert "disabled" not in _draw(page).by_key("accept").props
    _draw(page).click("refuse")
    _draw(page).click("compare releases")
    found = _draw(page)
    assert "accept" not in found.keys
    assert page.text("release.refused") in found.texts


def test_others_cannot_name_files_of_the_servers_machine(tmp_path: Path) -> None:
    page = paper(tmp_path, name="releases", empty=True)
    page.server.address = type(page.server.address)("0.0.0.0")  # noqa: S104  only looked at
    found = _draw(page)
    assert "registry place" not in found.keys
    assert page.text("releases.none_here") in found.texts
