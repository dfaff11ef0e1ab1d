"""The lattice of a search: every generalisation as a button that chooses it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from microveil.web import actions
from microveil.web.parts.elements import Node, button, div, on_click, select, words
from microveil.web.project.lattice import LatticeView, NodeView, Surroundings

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def lattice_picture(page: Page, position: int, key: str, view: LatticeView) -> None:
    """The most general at the top, as in ARX; of a large lattice the best, and a way to walk."""
    proof = page.text("lattice.proved" if view.proved else "lattice.not_proved")
    words(
        page.text(
            "lattice.lead", checked=page.number(view.n_checked), nodes=page.number(view.n_nodes)
        )
        + " "
        + proof,
        "hint",
    )
    columns = next(iter(view.best), None)
    if columns is not None:
        words(page.text("lattice.order", columns=", ".join(columns.levels)), "hint")
    if not view.nodes:
        with div("lattice-row"):
            for node in view.best:
                _node(page, position, view, node)
        _walk(page, position, key, view)
        return
    rows: dict[int, list[NodeView]] = {}
    for node in view.nodes:
        rows.setdefault(node.height, []).append(node)
    with div(
        "lattice",
        tabindex="0",
        role="region",
        aria_label=page.text("lattice.title", n=page.number(view.n_nodes)),
    ):
        for height in sorted(rows, reverse=True):
            with div("lattice-row"):
                for node in rows[height]:
                    _node(page, position, view, node)


def _walk(page: Page, position: int, key: str, view: LatticeView) -> None:
    """Any node of a large lattice: its levels are chosen, its neighbours a click away."""
    form = page.form(f"lattice {key}")
    start = next((dict(one.levels) for one in view.best), dict(view.lowest))
    chosen: dict[str, int] = form.setdefault("levels", start)
    words(page.text("lattice.walk"), "hint")
    with div("grid"):
        for name, titles in view.titles.items():
            low = view.lowest[name]
            select(
                name,
                {str(low + i): f"{low + i}: {page.say(title)}" for i, title in enumerate(titles)},
                str(chosen[name]),
                partial(_level, chosen, name),
                key=f"level {position} {name}",
            )
    with div("row"):
        button(
            page.text("lattice.look"),
            page.do(lambda: actions.look_at_node(page.session, position, chosen)),
            disabled=page.session.busy,
            key=f"look {position}",
        )
    seen = page.project.surroundings.get(key)
    if seen is not None:
        _draw_surroundings(page, position, key, view, seen)


def _level(chosen: dict[str, int], name: str, level: str) -> None:
    chosen[name] = int(level)


def _draw_surroundings(
    page: Page, position: int, key: str, view: LatticeView, seen: Surroundings
) -> None:
    """The node, which can be taken, between its coarser and its finer neighbours."""
    for title, nodes in (("lattice.above", seen.above), ("lattice.below", seen.below)):
        if title == "lattice.below":
            words(page.text("lattice.here", told=describe_node(page, view, seen.node)), "strong")
            button(
                page.text("lattice.take"),
                page.do(lambda: _pick(page, position, seen.node.levels)),
                kind="primary",
                disabled=not seen.node.solution,
                key=f"take node {position}",
            )
        if nodes:
            words(page.text(title), "hint")
            with div("lattice-row"):
                for node in nodes:
                    go = page.do(partial(_go, page, position, key, node))
                    on_click(_box(page, view, node, f"go {position}"), go)


def _go(page: Page, position: int, key: str, node: NodeView) -> None:
    """Walk on to a neighbour."""
    page.form(f"lattice {key}")["levels"] = dict(node.levels)
    actions.look_at_node(page.session, position, node.levels)


def _node(page: Page, position: int, view: LatticeView, node: NodeView) -> None:
    box = _box(page, view, node, f"node {position}", disabled=node.solution is False)
    on_click(box, page.do(lambda: _pick(page, position, node.levels)))


def levels_in_words(page: Page, view: LatticeView, levels: Mapping[str, int]) -> str:
    """The level of each key, and what it means: ``born 3 (decade), sex 0 (as it is)``."""
    words = {
        name: page.say(view.titles[name][level - view.lowest[name]])
        for name, level in levels.items()
    }
    return ", ".join(f"{name} {levels[name]} ({told})" for name, told in words.items())


def describe_node(page: Page, view: LatticeView, node: NodeView) -> str:
    """A node in words: its levels, whether it reaches the goal, and what it costs."""
    levels = levels_in_words(page, view, node.levels)
    known = {True: "lattice.yes", False: "lattice.no", None: "lattice.unknown"}[node.solution]
    parts = [f"{levels}: {page.text(known)}"]
    if node.loss is not None:
        parts.append(page.text("lattice.loss", loss=page.number(node.loss, ".4g")))
    if node.n_suppressed is not None:
        parts.append(page.text("lattice.removed", n=node.n_suppressed))
    return "; ".join(parts)


def _box(
    page: Page, view: LatticeView, node: NodeView, key: str, *, disabled: bool = False
) -> Node:
    classes = {True: "node yes", False: "node no", None: "node"}[node.solution]
    return Node(
        "button",
        " ".join(str(level) for level in node.levels.values()),
        f"{classes} best" if node.taken else classes,
        type="button",
        aria_pressed="true" if node.taken else "false",
        aria_label=describe_node(page, view, node),
        title=describe_node(page, view, node),
        disabled=disabled,
        data_key=f"{key} {node.levels}",
    )


def _pick(page: Page, position: int, levels: Mapping[str, int]) -> None:
    """Settle the levels of the search to those of another node."""
    plan = page.project.plan
    step = plan.items[position].step
    raw = step.to_dict() | {"levels": dict(levels)}
    actions.change(page.session, plan.with_step(type(step).parse(raw), position))
