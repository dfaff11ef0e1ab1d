"""Elements are plain HTML with labels; what is typed or clicked reaches the server."""

from __future__ import annotations

from typing import Any

from microveil.web.parts import elements
from tests.web.drawing import drawn


def test_attributes_are_written_as_html_has_them() -> None:
    found = drawn(
        lambda: elements.Node("a", "x", "one two", aria_label="y", for_="z", hidden=False, id=None)
    )
    (node,) = found.nodes
    assert (node.tag, node._text, sorted(node.classes)) == ("a", "x", ["one", "two"])
    assert (node.props["aria-label"], node.props["for"]) == ("y", "z")
    assert "hidden" not in node.props
    assert "id" not in node.props


def test_a_field_has_its_label_and_tells_what_is_typed() -> None:
    got: list[Any] = []
    found = drawn(lambda: elements.text_field("Age", "30", got.append, hint="years", min=0))
    assert found.texts == ["Age", "years"]
    assert found.shown("Age") == "30"
    assert found.by_key("Age").props["min"] == 0
    assert found.nodes[0].tag == "label"
    found.enter("Age", 31)
    assert got == ["31"]


def test_choices_show_what_is_chosen() -> None:
    got: list[Any] = []
    options = {"a": "A", "b": "B"}

    def draw() -> None:
        elements.select("Kind", options, "b", got.append)
        elements.radios("Role", "role", options, "a", got.append)
        elements.checkbox("On", True, got.append, hint="or off")

    found = drawn(draw)
    assert found.shown("Kind") == "b"
    assert [found.shown(f"role {name}") for name in options] == ["true", "false"]
    assert found.shown("On") == "true"
    found.enter("Kind", "a")
    found.enter("role b", "b")
    found.enter("On", value=0)
    assert got == ["a", "b", False]


def test_buttons_call_and_can_be_disabled() -> None:
    got: list[str] = []

    def draw() -> None:
        elements.button("×", lambda: got.append("gone"), label="Remove", key="remove", kind="quiet")
        elements.button("Wait", lambda: got.append("no"), disabled=True)

    found = drawn(draw)
    found.click("remove")
    assert got == ["gone"]
    assert found.by_key("remove").props["aria-label"] == "Remove"
    assert "quiet" in found.by_key("remove").classes
    assert found.by_key("Wait").props["disabled"] is True


def test_a_table_has_a_caption_and_marks_its_numbers() -> None:
    found = drawn(lambda: elements.table(["a", "n"], [["x", "1"]], caption="All", numeric=[1]))
    assert found.texts == ["All", "a", "n", "x", "1"]
    assert [list(cell.classes) for cell in found.all("td")] == [[], ["num"]]
    assert all(cell.props["scope"] == "col" for cell in found.all("th"))


def test_text_is_never_markup() -> None:
    found = drawn(lambda: elements.words("<b>bold</b>"))
    assert found.texts == ["<b>bold</b>"]
    assert "innerHTML" not in found.nodes[0].props


def test_numbers_and_terms_explain_themselves() -> None:
    found = drawn(lambda: elements.figure_number("5", "k", meaning="least class size"))
    (term,) = found.all("abbr")
    assert term.props["aria-label"] == "k: least class size"
    plain = drawn(lambda: elements.figure_number("5", "k"))
    assert plain.all("abbr") == []
