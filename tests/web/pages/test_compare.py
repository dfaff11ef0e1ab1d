"""Compare: variants are pinned and taken up again, columns and measures stand side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from microveil.methods import Drop, LocalSuppression
from microveil.tables import Roles
from microveil.utility.parts.correlations import ChangedCorrelation
from microveil.web import actions
from microveil.web.pages.compare import MOST_SKIPPED, _bars, _variant_row, content
from microveil.web.project.columns import OTHERS, Bin
from microveil.web.project.comparing import PairView
from microveil.web.project.risk_view import MeasureView
from tests.web.drawing import PEOPLE, Paper, paper, ready

STEPS = (Drop(columns=["name"]), LocalSuppression(k=2))


def test_a_variant_is_pinned_and_taken_up_again(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS, name="compare")
    first = page.project.plan
    found = ready(page, lambda: content(page))
    found.enter(page.text("compare.name"), "both")
    found.click(page.text("compare.pin"))
    assert page.project.pinned == {"both": first}
    page.project.history.add(first.without_step(1))
    found = ready(page, lambda: content(page))
    found.click("take both")
    assert page.project.plan == first
    found.click("unpin both")
    assert page.project.pinned == {}


def test_a_row_tells_what_a_variant_comes_to(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS, name="compare")
    row = _variant_row(page, "now", page.project.plan)
    assert row[:4] == ["now", "2", "6", "0"]
    unknown = page.project.plan.with_step(Drop(columns=["ill"]))
    assert _variant_row(page, "later", unknown) == ["later", "3", "…", "…", "…", "…"]


def test_every_column_stands_before_and_after(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS, name="compare")
    found = ready(page, lambda: content(page))
    names = [key.removeprefix("column ") for key in found.keys_of("column ")]
    assert names == ["sex", "age", *(n for n in PEOPLE.columns if n not in ("sex", "age"))]


def test_a_folded_column_is_drawn_once_it_is_unfolded(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS, name="compare")
    found = ready(page, lambda: content(page))
    assert page.text("compare.gone") not in found.texts
    bars = len(found.all("li"))
    found.click("column name")
    found = ready(page, lambda: content(page))
    assert page.text("compare.gone") in found.texts  # a step drops it
    assert len(found.all("li")) > bars


def test_measures_are_asked_for_and_shown_once_they_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    monkeypatch.setattr(actions, "compare", lambda _, target=None: asked.append(target))
    page = paper(tmp_path, *STEPS, name="compare")
    found = ready(page, lambda: content(page))
    assert page.text("compare.utility") not in found.texts
    found.click(page.text("compare.measure"))
    found.enter(page.text("compare.target"), "ill")
    found.click(page.text("compare.predict"))
    assert asked == [None, "ill"]
    measure = MeasureView("cell_changes", 0.25, "lower", {})
    skipped = {f"measure_{i}": "no numbers" for i in range(MOST_SKIPPED + 5)}
    page.project.pairs[page.project.key] = PairView(
        (), (measure,), (), skipped, (), (ChangedCorrelation("x", "y", 0.5, 0.25),), ("a note",)
    )
    found = ready(page, lambda: content(page))
    assert {page.text("compare.utility"), "a note", "0.500", "0.250"} <= set(found.texts)
    assert page.text("compare.skipped", n=len(skipped)) in found.texts
    page.project.pairs[page.project.key] = PairView((), (), (), {"one": "no"}, (), (), ())
    assert page.text("compare.skipped", n=1) in ready(page, lambda: content(page)).texts
    assert len([text for text in found.texts if "no numbers" in text]) == MOST_SKIPPED


def test_the_map_has_what_has_a_risk_and_nothing_twice(tmp_path: Path) -> None:
    def dots(page: Paper) -> list[str]:
        found = ready(page, lambda: content(page))
        return [node._text for node in found.nodes if "dot-label" in node.classes]

    page = paper(tmp_path, *STEPS, name="compare")
    assert dots(page) == [page.text("find.original"), page.text("compare.now")]
    actions.change(page.session, page.project.plan.without_step(1).without_step(0))
    assert dots(page) == [page.text("compare.now")]
    actions.change(page.session, page.project.plan.with_roles(Roles(sensitive=["ill"])))
    assert dots(page) == []


def test_every_column_hears_of_clicks_whether_it_is_drawn_or_not(tmp_path: Path) -> None:
    page = paper(tmp_path, *STEPS, name="compare")
    found = ready(page, lambda: content(page))
    for key in found.keys_of("column "):
        before = page.session.version
        found.click(key)
        assert page.session.version > before, key
        before = page.session.version
        found.click(key)  # folded again: nothing is new
        assert page.session.version == before, key


def test_categories_without_a_bar_of_their_own_are_named(tmp_path: Path) -> None:
    page = paper(tmp_path, name="compare")
    found = _bars(page, [Bin("a", 3), Bin(OTHERS, 9), Bin("1–2", 4, 1.0, 2.0)])
    assert found == [("a", 3), (page.text("compare.others"), 9), ("1–2", 4)]
