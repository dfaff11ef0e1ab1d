"""Linked tables drawn: a box for each table, parents on the left, a line for each link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from microveil.linked import Link
from microveil.web.parts.elements import Node, div
from microveil.web.project.linked_tables import LinkedTable

if TYPE_CHECKING:
    from microveil.web.parts.page import Page

WIDTH, HEIGHT, ACROSS, DOWN, EDGE = 190, 62, 300, 92, 12
LONGEST = 22
"""Characters of a name that fit into a box."""


class Box(NamedTuple):
    """Where a table stands."""

    x: int
    y: int


def places_of(names: Sequence[str], links: Sequence[Link]) -> dict[str, Box]:
    """A place for each table: as far to the right as links lead up to it.

    >>> places_of(["visits", "people"], [Link.parse("visits.p -> people.id")])
    {'visits': Box(x=312, y=12), 'people': Box(x=12, y=12)}
    """
    depth = dict.fromkeys(names, 0)
    for _ in names:  # as often as there are tables: a circle ends, too
        for link in links:
            if link.table in depth and link.to in depth:
                depth[link.table] = min(max(depth[link.table], depth[link.to] + 1), len(names) - 1)
    rows: dict[int, int] = {}
    found = {}
    for name in names:
        row = rows.get(depth[name], 0)
        rows[depth[name]] = row + 1
        found[name] = Box(EDGE + depth[name] * ACROSS, EDGE + row * DOWN)
    return found


def draw_links(
    page: Page, tables: Sequence[LinkedTable], links: Sequence[Link], people: str
) -> None:
    """The tables and their links as a picture, which says the same in words."""
    boxes = places_of([one.name for one in tables], links)
    wide = max(box.x for box in boxes.values()) + WIDTH + EDGE
    high = max(box.y for box in boxes.values()) + HEIGHT + EDGE
    told = page.text("linked.drawn", links="; ".join(map(str, links)) or "–")
    with (
        div("table-box drawing", tabindex="0", role="region", aria_label=told),
        Node("svg", None, "links", viewBox=f"0 0 {wide} {high}", width=wide, height=high,
             role="img", aria_label=page.text("linked.picture")),
    ):  # fmt: skip
        for link in links:
            _draw_link(boxes, link)
        for one in tables:
            _draw_box(page, one, boxes[one.name], here=one.name == people)


def _draw_link(boxes: dict[str, Box], link: Link) -> None:
    child, parent = boxes[link.table], boxes[link.to]
    x, y = child.x, child.y + HEIGHT // 2
    to_x, to_y = parent.x + WIDTH, parent.y + HEIGHT // 2
    bend = max((x - to_x) // 2, 24)
    Node(
        "path", None, "link-line", d=f"M{x} {y} C{x - bend} {y} {to_x + bend} {to_y} {to_x} {to_y}"
    )
    Node("circle", None, "link-end", cx=to_x, cy=to_y, r=4)
    Node("text", _short(link.column), "link-name", x=x - 8, y=y - 7, text_anchor="end")


def _draw_box(page: Page, one: LinkedTable, box: Box, *, here: bool) -> None:
    Node("rect", None, "link-box people" if here else "link-box", x=box.x, y=box.y, width=WIDTH,
         height=HEIGHT, rx=10)  # fmt: skip
    Node("text", _short(one.name), "link-table", x=box.x + 14, y=box.y + 26)
    size = page.text("linked.size", rows=page.number(one.n_rows), columns=len(one.columns))
    Node("text", size, "link-size", x=box.x + 14, y=box.y + 46)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
