"""The map: risk upward, loss to the right, the front joined by a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import INK, finish, plotting, rows
from microveil.studies.cells import Experiment

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart


def frontier_map(experiment: Experiment) -> Chart:
    """Every release as a point; the family of those on the front is written beside them."""
    alt = plotting()
    points = list(_points(experiment).values())
    front = sorted((p for p in points if p["front"]), key=lambda p: (p["loss"], -p["risk"]))
    x = alt.X("loss:Q", title="Loss", scale=alt.Scale(type="sqrt"))
    y = alt.Y(
        "risk:Q",
        title="Risk: records linked",
        scale=alt.Scale(type="sqrt", domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1]),
    )
    shapes = ["circle", "square", "triangle-up", "diamond", "cross"]
    marks = (
        alt.Chart(rows(points))
        .mark_point(filled=True, size=45, opacity=0.85)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "method:N",
                sort=None,
                scale=alt.Scale(scheme="tableau20"),
                legend=alt.Legend(orient="right", direction="vertical", columns=1, symbolLimit=0),
            ),
            shape=alt.Shape("method:N", sort=None, scale=alt.Scale(range=shapes)),
        )
    )
    line = (
        alt.Chart(rows(front))
        .mark_line(color=INK, strokeDash=[4, 3])
        .encode(x=x, y=y, order="loss:Q")
    )
    return finish(
        line + marks,
        title=f"{experiment.title}: risk and loss of every method",
        subtitle="dashed: what no other release beats",
        height=380,
        width=460,
    )


def _points(experiment: Experiment) -> dict[tuple[Any, ...], dict[str, Any]]:
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in experiment.cells:
        key = tuple(cell.where.values())
        point = found.setdefault(key, {"method": cell.where["method"]})
        point["front" if cell.quantity == "on the front" else cell.quantity] = cell.ours
    return found
