"""Charts: bars and points made of HTML, counted on the server; every number is there as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from microveil.texts.numbers import number
from microveil.web.parts.elements import Node, div, on_click

NEAR = 0.04
"""Share of an axis within which two labels would touch."""
ABOVE = ("now", "start")
"""Kinds of points that have their label above them."""


@dataclass(frozen=True)
class Point:
    """One variant on the map of risk and utility."""

    label: str
    risk: float
    loss: float
    note: str = ""
    kind: str = ""
    """``now`` for the plan that counts, ``start`` for the original, ``failed`` if it is refused."""
    click: Callable[[], Any] | None = None


def bar_list(
    rows: Sequence[tuple[str, float]],
    caption: str,
    *,
    total: float | None = None,
    tone: str = "",
    shares: bool = False,
    language: str = "en",
) -> None:
    """Horizontal bars, each with its label and number."""
    largest = total or max((value for _, value in rows), default=0) or 1
    with Node("ul", None, f"bars {tone}", aria_label=caption):
        for label, value in rows:
            with Node("li", None, "bar-row"):
                Node("span", label, "bar-label", title=label)
                with Node("span", None, "bar-track", aria_hidden="true"):
                    Node("span", None, "bar-fill").style(f"width:{100 * value / largest:.1f}%")
                Node("span", number(language, value, "%" if shares else ",.0f"), "bar-value")


def before_after(
    before: Sequence[tuple[str, float]],
    after: Sequence[tuple[str, float]],
    names: tuple[str, str],
    gone: str,
    language: str = "en",
) -> None:
    """A column's bars on both sides, on one scale."""
    top = max([value for _, value in (*before, *after)], default=0) or 1
    with div("pair"):
        for name, rows in zip(names, (before, after), strict=True):
            with div("pair-side"):
                Node("h3", name, "hint")
                if rows:
                    bar_list(rows, name, total=top, language=language)
                else:
                    Node("p", gone, "hint")


def histogram(heights: Sequence[float], caption: str) -> Node:
    """Upright bars without numbers: a shape to set cut points on."""
    largest = max(heights, default=0) or 1
    box = div("histogram", role="img", aria_label=caption)
    with box:
        for height in heights:
            Node("span", None, "histogram-bar").style(f"height:{100 * height / largest:.1f}%")
    return box


def ru_map(
    points: Sequence[Point],
    risk: str,
    loss: str,
    caption: str,
    *,
    fitted: bool = False,
    language: str = "en",
) -> None:
    """Risk upward, loss to the right; a point that can be clicked is a button.

    The axes end at 100 %, or where the points do if the map is ``fitted`` to them.
    """
    ends = (reach([p.risk for p in points]), reach([p.loss for p in points])) if fitted else (1, 1)
    with Node("figure", None, "ru"):
        Node("figcaption", caption, "hint")
        with div("ru-plot"):
            for axis, end, classes in ((risk, ends[0], "ru-y"), (loss, ends[1], "ru-x")):
                Node("span", f"{axis} {number(language, end, '%')}" if fitted else axis, classes)
            for place, point in enumerate(points):
                _dot(point, ends, crowd(point, points[place + 1 :], ends))


def reach(shares: Sequence[float]) -> float:
    """Where an axis ends so that all shares fit: a round number.

    >>> reach([0.03, 0.17]), reach([]), reach([0.98])
    (0.2, 1.0, 1.0)
    """
    largest = max(shares, default=1.0)
    return next((end for end in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if largest <= end), 1.0)


def crowd(point: Point, others: Sequence[Point], ends: tuple[float, float]) -> int:
    """How many of the other points are so near that their labels would lie on this one's.

    The labels of the original and of the present plan stand above their points.
    """
    near = [
        other
        for other in others
        if abs(other.risk - point.risk) < NEAR * ends[0]
        and abs(other.loss - point.loss) < NEAR * ends[1]
    ]
    return 0 if point.kind in ABOVE else sum(other.kind not in ABOVE for other in near)


def _dot(point: Point, ends: tuple[float, float], n_before: int) -> None:
    up, right = _inside(point.risk / ends[0]), _inside(point.loss / ends[1])
    place = f"left:{4 + 90 * right:.1f}%;bottom:{6 + 74 * up:.1f}%"
    told = f"{point.label}: {point.note}"
    classes = f"dot {point.kind}"
    if point.click is None:
        node = Node("span", None, classes, role="img", aria_label=told, title=told)
    else:
        node = Node(
            "button",
            None,
            classes,
            type="button",
            aria_label=told,
            title=told,
            data_key=f"dot {point.label}",
        )
        on_click(node, point.click)
    node.style(place)
    with node:
        label = Node("span", point.label, "dot-label", aria_hidden="true")
        if n_before:
            label.style(f"margin-top:{1.1 * n_before:.1f}em")


def _inside(share: float) -> float:
    return min(max(share, 0.0), 1.0)
