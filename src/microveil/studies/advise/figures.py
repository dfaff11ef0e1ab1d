"""Two fronts on one map: risk upward, loss to the right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.plots.drawing import finish, plotting, rows
from microveil.studies.advise.study import points
from microveil.studies.cells import Experiment
from microveil.studies.charts import SERIES_COLOURS

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

SWEEP = "the sweep's front"


def fronts_map(offered: Experiment, swept: Experiment) -> Chart:
    """The sweep's front joined by a line, the recipes on offer by taste."""
    alt = plotting()
    front = [row | {"of": SWEEP} for row in points(swept)]
    on_offer = [row | {"of": row["taste"]} for row in points(offered)]
    x = alt.X("loss:Q", title="Loss", scale=alt.Scale(type="sqrt"))
    y = alt.Y(
        "risk:Q",
        title="Risk: records linked",
        scale=alt.Scale(type="sqrt", domain=[0, 1]),
        axis=alt.Axis(format="%", values=[0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1]),
    )
    names = list(dict.fromkeys(row["of"] for row in [*front, *on_offer]))
    colour = alt.Color(
        "of:N", sort=None, scale=alt.Scale(domain=names, range=list(SERIES_COLOURS)), title=None
    )
    shapes = alt.Scale(domain=names, range=["circle", "diamond", "square", "triangle-up"])
    line = (
        alt.Chart(rows(sorted(front, key=lambda row: (row["loss"], -row["risk"]))))
        .mark_line(strokeDash=[4, 3])
        .encode(x=x, y=y, color=colour, order="loss:Q")
    )
    marks = (
        alt.Chart(rows([*front, *on_offer]))
        .mark_point(filled=True, size=60, opacity=0.85)
        .encode(x=x, y=y, color=colour, shape=alt.Shape("of:N", sort=None, scale=shapes))
    )
    return finish(
        line + marks,
        title="Adult: recipes on offer, and the best of every method",
        subtitle="dashed: what no other release of the sweep beats",
        height=380,
        width=460,
    )
