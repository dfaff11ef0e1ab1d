"""Figures 5 and 8 to 14 of the thesis, drawn from our runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from microveil.studies.cells import Experiment
from microveil.studies.charts import line_panels
from microveil.studies.zaragoza.tables import GROWTHS, DataSet

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

BY_ALGORITHM = {
    "Figures 8 to 10": {"Datafly": 8, "Mondrian strict": 9, "Mondrian relaxed": 10},
    "Figures 11 to 13": {"Datafly": 11, "Mondrian strict": 12, "Mondrian relaxed": 13},
}

ADULT = {
    "Figure 14, with numeric keys": "figure_14",
    "Figure 14, with descriptive keys": "figure_14_descriptive",
}
"""Figures of Adult, by the source of their experiment."""
N_SHOWN, SHOWN_EVERY = 10_000, 500


def figures(experiments: tuple[Experiment, ...]) -> Mapping[str, Callable[[], Chart]]:
    """By file name: one figure per algorithm and kind of data set, then Adult's."""
    drawn: dict[str, Callable[[], Chart]] = {"figure_5": values_of_figure_5}
    for experiment in experiments:
        for algorithm, number in BY_ALGORITHM.get(experiment.source, {}).items():
            drawn[f"figure_{number}"] = _by_data(experiment, algorithm)
        if experiment.source in ADULT:
            drawn[ADULT[experiment.source]] = _by_k(experiment)
    return drawn


def values_of_figure_5() -> Chart:
    """The values of 10,000 records, linear and quadratic: every 500th is drawn."""
    frames = {growth: DataSet("independent", growth, N_SHOWN, 1).frame() for growth in GROWTHS}
    values = [
        {"record": record, "growth": growth, "measure": growth, "value": value}
        for growth, frame in frames.items()
        for record, value in enumerate(frame["A0"].to_list(), start=1)
        if record % SHOWN_EVERY == 0
    ]
    order = sorted({int(row["record"]) for row in values})
    return line_panels(
        values, x="record", series="growth", title="Values of a column", order=order,
        logarithmic=False,
    )  # fmt: skip


def _by_data(experiment: Experiment, algorithm: str) -> Callable[[], Chart]:
    picked = [row for row in _rows(experiment) if row["algorithm"] == algorithm]
    return lambda: line_panels(
        picked, x="data", series="k", title=f"{algorithm}: {experiment.title.lower()}"
    )


def _by_k(experiment: Experiment) -> Callable[[], Chart]:
    return lambda: line_panels(_rows(experiment), x="k", series="algorithm", title=experiment.title)


def _rows(experiment: Experiment) -> list[dict[str, Any]]:
    return [
        {**cell.where, "measure": cell.quantity, "value": cell.ours} for cell in experiment.cells
    ]
