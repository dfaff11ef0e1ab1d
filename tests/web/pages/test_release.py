"""Release: nothing is made while a requirement fails, and what would mend it is a click away."""

from __future__ import annotations

from pathlib import Path

from microveil.methods import Drop, LocalSuppression
from microveil.tables import Roles
from microveil.web import actions
from microveil.web.pages.release import PAPERS, content, formats
from tests.web.drawing import drawn, paper

ROLES_OF_TWO_NAMES = Roles(identifiers=["name", "ill"], quasi_identifiers=["sex", "age"])


def test_files_are_made_once_all_requirements_hold(tmp_path: Path) -> None:
    page = paper(tmp_path, Drop(columns=["name"]), LocalSuppression(k=2), name="release")
    found = drawn(lambda: content(page))
    assert found.by_key("make").props["disabled"] is True
    assert page.text("release.check_first") in found.texts
    found.click(page.text("release.check"))
    found = drawn(lambda: content(page))
    assert "✔" in found.texts
    assert "disabled" not in found.by_key("make").props
    found.enter("suffix", ".parquet")
    found.click("make")
    found = drawn(lambda: content(page))
    links = [node.props["download"] for node in found.all("a") if "download" in node.props]
    assert len(links) == len(PAPERS)
    assert any(str(name).endswith(".parquet") for name in links)


def test_a_broken_requirement_is_mended_by_a_click(tmp_path: Path) -> None:
    page = paper(tmp_path, Drop(columns=["name"]), name="release")
    drawn(lambda: content(page)).click(page.text("release.check"))
    found = drawn(lambda: content(page))
    assert "✘" in found.texts
    assert page.text("release.refused") in found.texts
    assert found.by_key("make").props["disabled"] is True
    found.click("mend local_suppression")
    assert page.project.recipe.steps[-1].kind() == "local_suppression"
    # Another plan has not been checked yet.
    assert page.text("release.check") in drawn(lambda: content(page)).keys


def test_a_warning_becomes_a_requirement_by_a_click(tmp_path: Path) -> None:
    page = paper(tmp_path, Drop(columns=["name"]), LocalSuppression(k=2), name="release")
    drawn(lambda: content(page)).click(page.text("release.check"))
    found = drawn(lambda: content(page))
    (key,) = found.keys_of("caution require ")
    found.click(key)
    assert [one.kind() for one in page.project.recipe.models] == ["k_anonymity", "l_diversity"]


def test_a_column_nobody_decided_about_is_left_out_or_kept(tmp_path: Path) -> None:
    page = paper(tmp_path, LocalSuppression(k=2), name="release")
    drawn(lambda: content(page)).click(page.text("release.check"))
    found = drawn(lambda: content(page))
    # An identifier can only be left out.
    assert found.keys_of("leave out ") == ["leave out name"]
    assert found.keys_of("keep ") == []
    assert "leave all out" not in found.keys
    found.click("leave out name")
    assert page.project.recipe.steps[-1] == Drop(columns=("name",))


def test_several_undecided_columns_are_left_out_at_once(tmp_path: Path) -> None:
    page = paper(tmp_path, LocalSuppression(k=2), name="release")
    actions.change(page.session, page.project.plan.with_roles(ROLES_OF_TWO_NAMES))
    drawn(lambda: content(page)).click(page.text("release.check"))
    drawn(lambda: content(page)).click("leave all out")
    assert set(page.project.recipe.steps[-1].columns) == {"name", "ill"}  # type: ignore[attr-defined]


def test_every_format_that_can_be_written_is_offered() -> None:
    found = dict(formats())
    assert {".csv", ".parquet", ".xlsx", ".sav"} <= set(found)
    assert ".sas7bdat" not in found
    assert all(suffix in title for suffix, title in found.items())


def test_files_go_with_an_undone_step_and_come_back_with_it(tmp_path: Path) -> None:
    page = paper(tmp_path, Drop(columns=["name"]), LocalSuppression(k=2), name="release")
    actions.change(page.session, page.project.plan.with_step(Drop(columns=["ill"])))
    drawn(lambda: content(page)).click(page.text("release.check"))
    drawn(lambda: content(page)).click("make")

    def n_links() -> int:
        found = drawn(lambda: content(page))
        return sum("download" in node.props for node in found.all("a"))

    assert n_links() == len(PAPERS)
    actions.undo(page.session)
    assert n_links() == 0
    assert drawn(lambda: content(page)).by_key("make").props["disabled"] is True
    actions.redo(page.session)
    assert n_links() == len(PAPERS)
