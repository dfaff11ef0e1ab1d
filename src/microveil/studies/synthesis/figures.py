"""The map: risk upward, loss to the right; generators as filled points, other methods as rings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import INK, finish, plotting, rows
from microveil.studies.cells import Experiment
from microveil.studies.synthesis.candidates import PLAIN, PRIVATE

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart


def synthesis_map(experiment: Experiment) -> Chart:
    """Every release as a point; the dashed line joins what no other release beats."""
    alt = plotting()
    points = map_points(experiment)
    front = sorted((one for one in points if one["front"]), key=lambda one: one["loss"])
    x = alt.X("loss:Q", title="Loss: how far pairs of columns move", scale=alt.Scale(type="sqrt"))
    y = alt.Y("risk:Q", title="Risk: best attack", scale=alt.Scale(type="sqrt"))
    marks = (
        alt.Chart(rows(points))
        .mark_point(filled=True, size=60, opacity=0.85)
        .encode(x=x, y=y, **_legends())
    )
    line = (
        alt.Chart(rows(front))
        .mark_line(color=INK, strokeDash=[4, 3])
        .encode(x=x, y=y, order="loss:Q")
    )
    names = (
        alt.Chart(rows(front))
        .mark_text(align="left", dx=8, dy=-6, color=INK, fontSize=11)
        .encode(x=x, y=y, text="name:N")
    )
    return finish(
        line + marks + names,
        title=f"{experiment.title.split(':')[0]}: synthetic records beside other methods",
        subtitle="dashed: what no other release beats",
        height=360,
        width=440,
    )


def _legends() -> dict[str, Any]:
    """Methods by colour, families by shape."""
    alt = plotting()
    colour = alt.Color(
        "method:N",
        sort=None,
        scale=alt.Scale(scheme="tableau20"),
        legend=alt.Legend(orient="right", direction="vertical", columns=1, symbolLimit=0),
    )
    shape = alt.Shape(
        "family:N",
        scale=alt.Scale(
            domain=["synthetic", "synthetic, private", "other"],
            range=["circle", "diamond", "cross"],
        ),
        legend=alt.Legend(orient="bottom", title=None),
    )
    return {"color": colour, "shape": shape}


def map_points(experiment: Experiment) -> list[dict[str, Any]]:
    """One row per release."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for cell in experiment.cells:
        method = cell.where["method"]
        family = "synthetic" if method in PLAIN else "other"
        family = "synthetic, private" if method in PRIVATE else family
        name = f"{method} {cell.where['parameter']}".strip()
        point = found.setdefault(
            tuple(cell.where.values()), {"method": method, "family": family, "name": name}
        )
        point["front" if cell.quantity == "on the front" else cell.quantity] = cell.ours
    return list(found.values())
