"""A hierarchy is made by cuts, groups, lengths or dates, with a preview of what comes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest.mock import patch

import polars as pl
import pytest

from microveil.methods import Mondrian
from microveil.web.parts.hierarchy_editor import (
    _add_cut,
    _build,
    _reopen,
    hierarchies_editor,
    hierarchy_editor,
)
from microveil.web.parts.spec_fields import fields_of
from tests.web.drawing import Drawn, Paper, drawn, paper, ready


@pytest.fixture
def page(tmp_path: Path) -> Paper:
    return paper(tmp_path)


def edited(page: Paper, typed: dict[str, Any]) -> Drawn:
    return drawn(lambda: hierarchy_editor(page, typed))


def test_a_column_comes_first(page: Paper) -> None:
    typed: dict[str, Any] = {}
    assert page.text("hierarchy.column_first") in edited(page, typed).texts
    assert "hierarchy" not in typed


def test_cuts_are_added_moved_and_removed(page: Paper) -> None:
    typed: dict[str, Any] = {"column": "age"}
    found = edited(page, typed)
    assert typed["draft"]["kind"] == "intervals"
    n = len(typed["draft"]["cuts"])
    found.click(page.text("hierarchy.add_cut"))
    assert len(typed["draft"]["cuts"]) == n + 1
    found = edited(page, typed)
    found.enter("cut 0", "33")
    assert typed["draft"]["cuts"][0] == 33
    found.click("drop cut 0")
    assert 33 not in typed["draft"]["cuts"]
    edited(page, typed)
    assert typed["hierarchy"]["hierarchy"] == "intervals"


def test_categories_are_put_together(page: Paper) -> None:
    typed: dict[str, Any] = {"column": "ill", "draft": {"kind": "tree"}}
    found = edited(page, typed)
    found.enter("category flu", value=True)
    found.enter("category cold", value=True)
    found.click(page.text("hierarchy.group"))
    assert set(typed["draft"]["groups"]) == {"flu", "cold"}
    assert typed["draft"]["ticked"] == []
    found = edited(page, typed)
    found.click(page.text("hierarchy.ungroup"))
    assert typed["draft"]["groups"] == {}


def test_a_tree_from_a_file_is_used_and_put_away(page: Paper) -> None:
    typed: dict[str, Any] = {"column": "ill", "draft": {"kind": "tree"}}
    page.session.imported = {"any": ["flu", "cold"]}
    edited(page, typed).click(page.text("hierarchy.use_import"))
    assert typed["draft"]["tree"] == {"any": ["flu", "cold"]}
    assert page.session.imported is None
    edited(page, typed).click(page.text("hierarchy.by_hand"))
    assert "tree" not in typed["draft"]


def test_a_further_cut_halves_the_widest_range() -> None:
    draft: dict[str, Any] = {"cuts": [10.0], "width": "5"}
    _add_cut(draft, 0.0, 100.0)
    assert draft == {"cuts": [10.0, 55.0]}


def test_a_hierarchy_of_a_step_is_opened_again() -> None:
    def reopened(**raw: Any) -> dict[str, Any]:
        return _reopen(raw, {"kind": "prefix"}, pl.Series("ill", ["flu", "cold", "gout"]))

    assert reopened(hierarchy="intervals", width=[10, 50])["width"] == "10"
    assert reopened(hierarchy="intervals", cuts=[[1, 2], [2]])["cuts"] == [1, 2]
    assert reopened(hierarchy="prefix", lengths=[3, 2])["lengths"] == "3,2"
    assert reopened(levels=["year"]) == {"kind": "prefix", "levels": ["year"]}
    by_hand = reopened(hierarchy="tree", tree={"any": ["flu", "cold"], "gout": ["gout"]})
    assert by_hand == {"kind": "tree", "groups": {"flu": "any", "cold": "any"}}
    from_file = reopened(hierarchy="tree", tree={"all": {"any": ["flu", "cold", "gout"]}})
    assert "tree" in from_file


def test_a_draft_that_cannot_be_built_is_none() -> None:
    assert _build({"kind": "intervals", "width": "wide"}, pl.Series("age", [1, 2])) is None


def test_each_key_may_have_its_own(page: Paper) -> None:
    field = next(one for one in fields_of(Mondrian) if one.name == "hierarchies")
    typed: dict[str, Any] = {}

    def draw() -> None:
        hierarchies_editor(page, field, typed, ["sex", "age"])

    drawn(draw).enter("own age", value=True)
    drawn(draw)
    assert list(typed["hierarchies"]) == ["age"]
    drawn(draw).enter("own age", value=False)
    drawn(draw)
    assert typed["hierarchies"] == {}


def test_a_preview_says_how_many_labels_it_leaves_out(page: Paper) -> None:
    ages = {"column": "age", "draft": {"kind": "intervals", "width": "5"}}
    found = ready(page, lambda: hierarchy_editor(page, ages))
    assert page.text("hierarchy.more", n=1) not in found.texts
    with patch("microveil.web.parts.hierarchy_editor.MOST_SHOWN", 2):
        assert page.text("hierarchy.more", n=1) in edited(page, ages).texts
    with patch("microveil.web.parts.hierarchy_editor.MOST_SHOWN", 1):
        assert page.text("hierarchy.more", n=2) in edited(page, ages).texts
