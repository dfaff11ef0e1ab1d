"""Figure 1 of the slides: risk against utility of the five methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from microveil.plots.drawing import finish, plotting, rows
from microveil.studies.cells import Experiment
from microveil.studies.charts import SERIES_COLOURS

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

SIZE = 100
RHO = "0.40"


def confidentiality_map(experiments: tuple[Experiment, ...]) -> Chart:
    """Value disclosure over the error of the correlation, at n = 100 and ρ = .40."""
    usability, values, *_ = experiments
    loss = {method: abs(ours) for method, ours in _at(usability, "bias").items()}
    risk = _at(values, "of X1")
    alt = plotting()
    points = [{"method": method, "utility": -loss[method], "risk": risk[method]} for method in risk]
    base = alt.Chart(rows(points)).encode(
        x=alt.X(
            "utility:Q",
            title="Utility: minus the bias of the correlation",
            scale=alt.Scale(domain=[-0.47, 0.04]),
        ),
        y=alt.Y("risk:Q", title="Risk: variability explained", scale=alt.Scale(domain=[0, 1.05])),
    )
    marks = base.mark_point(filled=True, size=90).encode(
        color=alt.Color(
            "method:N", sort=None, legend=None, scale=alt.Scale(range=list(SERIES_COLOURS))
        ),
        shape=alt.Shape("method:N", sort=None, legend=None),
    )
    names = base.mark_text(dy=-13, fontSize=12).encode(text="method:N")
    return finish(
        marks + names, title="Confidentiality map", subtitle="n = 100, ρ = 0.40", height=260
    )


def _at(experiment: Experiment, quantity: str) -> dict[str, float]:
    return {
        str(cell.where["method"]): cell.ours
        for cell in experiment.cells
        if cell.quantity == quantity and (cell.where["n"], cell.where["ρ"]) == (SIZE, RHO)
    }
