"""Links drawn: parents on the left, and a circle ends, too."""

from __future__ import annotations

from pathlib import Path

from microveil.linked import Link
from microveil.web.parts.link_drawing import draw_links, places_of
from microveil.web.project.linked_tables import LinkedTable
from tests.web.drawing import drawn, paper

LINKS = [Link.parse("labs.visit -> visits.id"), Link.parse("visits.patient -> patients.id")]


def test_children_stand_to_the_right_of_their_parents() -> None:
    found = places_of(["labs", "visits", "patients", "codes"], LINKS)
    assert found["patients"].x < found["visits"].x < found["labs"].x
    assert found["codes"].x == found["patients"].x
    assert found["codes"].y != found["patients"].y


def test_a_circle_of_links_is_drawn_all_the_same() -> None:
    circle = [Link.parse("a.x -> b.y"), Link.parse("b.y -> a.x")]
    assert set(places_of(["a", "b"], circle)) == {"a", "b"}


def test_the_picture_is_told_in_words(tmp_path: Path) -> None:
    page = paper(tmp_path, name="linked", empty=True)
    tables = [LinkedTable(name, 3, {"id": "Int64"}, {}) for name in ("labs", "visits", "patients")]
    found = drawn(lambda: draw_links(page, tables, LINKS, "patients"))
    (region,) = [node for node in found.nodes if node.props.get("role") == "region"]
    assert "visits.patient -> patients.id" in region.props["aria-label"]
    (box,) = [node for node in found.all("rect") if "people" in node.classes]
    assert box.props["x"] == 12
