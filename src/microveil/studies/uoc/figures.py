"""Figures 9, 11 and 13 of the course, from our data and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.plots.drawing import finish, plotting, rows
from microveil.studies.charts import SERIES_COLOURS
from microveil.studies.uoc import losses, tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.arrays import Floats
    from microveil.plots.drawing import Chart

N_POINTS = 161
PRINTED = 142.105
"""Variance of the density that the course draws."""


def figures() -> Mapping[str, Callable[[], Chart]]:
    """By file name."""
    from microveil.plots import laplace_noise_chart

    return {
        "figure_9": decision_regions,
        "figure_11": noise_densities,
        "figure_13": laplace_noise_chart,
    }


def decision_regions() -> Chart:
    """What the trees of X, X' and X'' tell of a flower, wherever it lies."""
    flowers, species = losses.iris()
    releases = {"M: X as it is": flowers}
    releases |= {
        f"{tree}: p = {100 * share:g} %": losses.noisy(flowers, share, 0)
        for tree, share in (("M'", 0.001), ("M''", 0.01))
    }
    low, high = flowers.min(axis=0), flowers.max(axis=0)
    boxes = [
        {"tree": name, **box}
        for name, known in releases.items()
        for box in _leaves(losses.grow_tree(known, species), 0, low, high)
    ]
    alt = plotting()
    chart = (
        alt.Chart(rows(boxes))
        .mark_rect(stroke="white", strokeWidth=1)
        .encode(
            x=alt.X("left:Q", title="Petal width, cm"),
            x2="right",
            y=alt.Y("bottom:Q", title="Sepal width, cm", scale=alt.Scale(zero=False)),
            y2="top",
            color=alt.Color(
                "species:N", title=None, sort=None, scale=alt.Scale(range=list(SERIES_COLOURS))
            ),
            column=alt.Column("tree:N", title=None, sort=list(releases)),
        )
    )
    return finish(chart, title="Species told by the three trees", height=200, width=200)


def _leaves(tree: Any, node: int, low: Floats, high: Floats) -> Iterator[dict[str, float | str]]:
    """The box of each leaf below a node, within the box of the node."""
    inside = tree.tree_
    if inside.children_left[node] < 0:
        species = str(tree.classes_[inside.value[node].argmax()])
        corners = zip(("left", "bottom", "right", "top"), (*low, *high), strict=True)
        yield {"species": species, **{name: float(at) for name, at in corners}}
        return
    column, cut = inside.feature[node], inside.threshold[node]
    below, above = high.copy(), low.copy()
    below[column] = above[column] = cut
    yield from _leaves(tree, inside.children_left[node], low, below)
    yield from _leaves(tree, inside.children_right[node], above, high)


def noise_densities() -> Chart:
    """Densities of the noise on age: as the course draws it, and as its own formula says."""
    half = float(tables.NOISE["age"].to_numpy().var()) / 2
    noise = np.linspace(-45, 45, N_POINTS)
    curves = [
        {"noise": float(x), "density": float(y), "of": name}
        for name, variance in (
            (f"N(0, {PRINTED}), as drawn", PRINTED),
            (f"N(0, {half:.3f}), half the variance", half),
        )
        for x, y in zip(noise, _normal(noise, variance), strict=True)
    ]
    alt = plotting()
    chart = (
        alt.Chart(rows(curves))
        .mark_line(strokeWidth=2)
        .encode(
            x=alt.X("noise:Q", title="Noise added to the age"),
            y=alt.Y("density:Q", title="Density"),
            color=alt.Color(
                "of:N", title=None, sort=None, scale=alt.Scale(range=list(SERIES_COLOURS))
            ),
            strokeDash=alt.StrokeDash("of:N", title=None, sort=None),
        )
    )
    return finish(chart, title="Additive noise with p = 0.5", height=200)


def _normal(at: NDArray[np.float64], variance: float) -> NDArray[np.float64]:
    density: NDArray[np.float64] = np.exp(-(at**2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    return density
