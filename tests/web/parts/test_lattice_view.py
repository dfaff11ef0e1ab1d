"""The lattice of a search: every node can be taken, if it reaches the goal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from microveil.methods import OptimalGeneralization
from microveil.web.parts.lattice_view import describe_node, lattice_picture
from microveil.web.project.lattice import NodeView
from tests.web.drawing import Paper, drawn, paper


@pytest.fixture
def page(tmp_path: Path) -> Paper:
    hierarchies = {"age": {"hierarchy": "intervals", "width": [10, 50]}}
    raw = {"k": 2, "hierarchies": hierarchies, "suppression_share": 0.2}
    return paper(tmp_path, OptimalGeneralization.parse(raw))


def test_a_node_is_told_in_words(page: Paper) -> None:
    node = NodeView({"age": 1, "sex": 0}, True, 0.25, 3, best=False, taken=False)
    view, levels = page.project.lattices[page.project.key], "age 1 (width 10), sex 0 (as it is)"
    sentence = describe_node(page, view, node)
    assert sentence.startswith(f"{levels}: {page.text('lattice.yes')}")
    assert "0.25" in sentence
    unknown = describe_node(page, view, replace(node, solution=None, loss=None, n_suppressed=None))
    assert unknown == f"{levels}: {page.text('lattice.unknown')}"


def test_every_node_is_drawn_and_another_can_be_taken(page: Paper) -> None:
    key = page.project.key
    view = page.project.lattices[key]
    found = drawn(lambda: lattice_picture(page, 0, key, view))
    boxes = found.keys_of("node 0 ")
    assert len(boxes) == len(view.nodes) == view.n_nodes
    other = next(one for one in view.nodes if one.solution and not one.taken)
    found.click(f"node 0 {other.levels}")
    (step,) = page.project.recipe.steps
    assert step.levels == dict(other.levels)  # type: ignore[attr-defined]
    never = [one for one in view.nodes if one.solution is False]
    assert all(found.by_key(f"node 0 {one.levels}").props["disabled"] for one in never)


def test_a_large_lattice_is_walked(page: Paper) -> None:
    key = page.project.key
    view = replace(page.project.lattices[key], nodes=())
    found = drawn(lambda: lattice_picture(page, 0, key, view))
    assert len(found.keys_of("node 0 ")) == len(view.best)
    found.enter("level 0 age", "2")
    assert page.form(f"lattice {key}")["levels"]["age"] == 2
    found.click("look 0")
    seen = page.project.surroundings[key]
    assert seen.node.levels["age"] == 2
    found = drawn(lambda: lattice_picture(page, 0, key, view))
    assert len(found.keys_of("go 0 ")) == len(seen.above) + len(seen.below)
    found.click(found.keys_of("go 0 ")[0])
    assert page.form(f"lattice {key}")["levels"] != dict(seen.node.levels)
