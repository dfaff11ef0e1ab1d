"""The lattice of a search: every generalisation as a button that chooses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from microveil.web import actions
from microveil.web.parts.elements import Node, div, words
from microveil.web.project.lattice import LatticeView, NodeView

if TYPE_CHECKING:
    from microveil.web.parts.page import Page


def lattice_picture(page: Page, position: int, view: LatticeView) -> None:
    """The most general at the top, as in ARX; of a large lattice the best solutions."""
    proof = page.text("lattice.proved" if view.proved else "lattice.not_proved")
    words(
        page.text("lattice.lead", checked=f"{view.n_checked:,}", nodes=f"{view.n_nodes:,}")
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
                _node(page, position, node)
        return
    rows: dict[int, list[NodeView]] = {}
    for node in view.nodes:
        rows.setdefault(node.height, []).append(node)
    with div(
        "lattice",
        tabindex="0",
        role="region",
        aria_label=page.text("lattice.title", n=view.n_nodes),
    ):
        for height in sorted(rows, reverse=True):
            with div("lattice-row"):
                for node in rows[height]:
                    _node(page, position, node)


def _node(page: Page, position: int, node: NodeView) -> None:
    classes = {True: "node yes", False: "node no", None: "node"}[node.solution]
    levels = ", ".join(f"{name} {level}" for name, level in node.levels.items())
    told = page.text(
        {True: "lattice.yes", False: "lattice.no", None: "lattice.unknown"}[node.solution]
    )
    removed = (
        ""
        if node.n_suppressed is None
        else f"; {page.text('lattice.removed', n=node.n_suppressed)}"
    )
    loss = "" if node.loss is None else f"; {page.text('lattice.loss', loss=f'{node.loss:.4g}')}"
    box = Node(
        "button",
        " ".join(str(level) for level in node.levels.values()),
        f"{classes} best" if node.taken else classes,
        type="button",
        aria_pressed="true" if node.taken else "false",
        aria_label=f"{levels}: {told}{loss}{removed}",
        title=f"{levels}: {told}{loss}{removed}",
        disabled=node.solution is False,
        data_key=f"node {position} {levels}",
    )
    click = page.do(lambda: _pick(page, position, node.levels))
    box.on("click", lambda _: click(), js_handler="() => emit()")


def _pick(page: Page, position: int, levels: Mapping[str, int]) -> None:
    """Settle the levels of the search to those of another node."""
    plan = page.project.plan
    step = plan.items[position].step
    raw = step.to_dict() | {"levels": dict(levels)}
    actions.change(page.session, plan.with_step(type(step).parse(raw), position))
