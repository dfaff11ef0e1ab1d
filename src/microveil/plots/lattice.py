"""The lattice of a search: every generalisation if there are few, otherwise the frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import INK, NEUTRAL, RISKY, SAFE, finish, plotting, rows, share_tip
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.search import Node, SearchResult

MOST_NODES = 400
"""Nodes that fit in one figure; for larger lattices the frontier is drawn."""
MOST_POINTS = 2_000
"""Number of solutions that the frontier shows, best first."""

MOST_NAMED = 9
"""Nodes of a row up to which every one finds room for its name."""

WORDS = {True: "reaches the goal", False: "does not", None: "not checked"}
COLOURS = {WORDS[True]: SAFE, WORDS[False]: RISKY, WORDS[None]: NEUTRAL}


def lattice_chart(result: SearchResult) -> Chart:
    """Nodes by the sum of their levels; for a large lattice, the cost and removal of solutions."""
    few = result.n_nodes <= MOST_NODES
    return _lattice(result) if few else frontier_chart(result)


def frontier_chart(result: SearchResult) -> Chart:
    """Solutions by the share of records they remove and their loss, with the best highlighted."""
    alt = plotting()
    points = [_point(node, result) for node in result.best(MOST_POINTS)]
    base = alt.Chart(rows(points, shares=["suppressed"])).encode(
        x=alt.X(
            "suppressed:Q", title=phrase("Records removed"), axis=alt.Axis(format="%", tickCount=5)
        ),
        y=alt.Y("loss:Q", title=phrase("Loss"), scale=alt.Scale(zero=False)),
        tooltip=_tooltip(),
    )
    dots = base.mark_point(filled=True, size=18, opacity=0.5, color=NEUTRAL)
    front = _front(points)
    line = (
        alt.Chart(rows(front, shares=["suppressed"]))
        .mark_line(color=SAFE, interpolate="step-after")
        .encode(x="suppressed:Q", y="loss:Q")
    )
    best = alt.Chart(rows(points[:1], shares=["suppressed"])).mark_point(
        size=140, strokeWidth=2.5, color=INK
    )
    best = best.encode(x="suppressed:Q", y="loss:Q", tooltip=_tooltip())
    return finish(
        dots + line + best,
        title=phrase("What solutions cost"),
        subtitle=_summary(result),
        height=240,
    )


def _lattice(result: SearchResult) -> Chart:
    alt = plotting()
    chart = alt.Chart(rows(_places(result), shares=["suppressed"]))
    axis = alt.Axis(labels=False, ticks=False, domain=False, grid=False)
    dots = chart.mark_point(filled=True, opacity=1).encode(
        x=alt.X("place:Q", title=None, axis=axis, scale=alt.Scale(padding=28)),
        y=alt.Y("height:O", sort="descending", title=phrase("Sum of levels")),
        color=alt.Color(
            "verdict:N", scale=alt.Scale(domain=list(COLOURS), range=list(COLOURS.values()))
        ),
        size=alt.Size(
            "mark:N", legend=None, scale=alt.Scale(domain=["", "minimal"], range=[45, 110])
        ),
        tooltip=_tooltip(),
    )
    ring = (
        chart.transform_filter("datum.best")
        .mark_point(size=260, strokeWidth=2.5, color=INK)
        .encode(x="place:Q", y=alt.Y("height:O", sort="descending"))
    )
    names = (
        chart.transform_filter("datum.label != ''")
        .mark_text(dy=15, fontSize=10, color=INK)
        .encode(x="place:Q", y=alt.Y("height:O", sort="descending"), text="label:N")
    )
    heights = sum(b - a for a, b in zip(result.lowest, result.highest, strict=True)) + 1
    return finish(
        dots + ring + names,
        title=phrase("All generalisations"),
        subtitle=phrase(
            "levels of {keys}. {summary}", keys=_keys(result), summary=_summary(result)
        ),
        height=max(38 * heights, 76),
    )


def _places(result: SearchResult) -> list[dict[str, Any]]:
    """Each node with its height, and its position among the others of that height."""
    by_height: dict[int, list[Node]] = {}
    for node in result.nodes():
        by_height.setdefault(sum(node.levels.values()), []).append(node)
    best = result.optimum.levels if result.optimum else None
    roomy = max(map(len, by_height.values()), default=0) <= MOST_NAMED
    return [
        _point(node, result)
        | {
            "height": height,
            "place": position - (len(nodes) - 1) / 2,
            "verdict": WORDS[node.solution],
            "mark": "minimal" if node.minimal else "",
            "best": node.levels == best,
            # Where there is no room for all names, those that matter have theirs.
            "label": _name(node) if roomy or node.levels == best or node.minimal else "",
        }
        for height, nodes in by_height.items()
        for position, node in enumerate(nodes)
    ]


def _name(node: Node) -> str:
    """The levels of the keys, in their order."""
    return "·".join(str(level) for level in node.levels.values())


def _keys(result: SearchResult) -> list[str]:
    return next((list(node.levels) for node in result.nodes()), [])


def _point(node: Node, result: SearchResult) -> dict[str, Any]:
    known = node.solution and node.n_suppressed is not None
    return {
        "levels": ", ".join(f"{name} {level}" for name, level in node.levels.items()),
        "loss": node.loss,
        "suppressed": (node.n_suppressed or 0) / max(result.n_records, 1) if known else None,
    }


def _front(points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Points that no other dominates: fewer records removed and less loss."""
    front: list[dict[str, Any]] = []
    for point in sorted(points, key=lambda one: (one["suppressed"], one["loss"])):
        if not front or point["loss"] < front[-1]["loss"]:
            front.append(point)
    return front


def _summary(result: SearchResult) -> str:
    proof = "ringed: the best, proved" if result.proved else "ringed: the best so far"
    return phrase(
        "{n_nodes:,} nodes, {n_checked:,} checked; {proof}",
        n_nodes=result.n_nodes,
        n_checked=result.n_checked,
        proof=proof,
    )


def _tooltip() -> list[Any]:
    alt = plotting()
    return [
        alt.Tooltip("levels:N", title=phrase("Levels")),
        alt.Tooltip("loss:Q", title=phrase("Loss"), format=".4g"),
        share_tip("suppressed", phrase("Removed")),
    ]
