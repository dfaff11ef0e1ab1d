"""Figures 8 to 14 of the thesis, drawn from our runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from microveil.studies.cells import Experiment
from microveil.studies.charts import line_panels

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

BY_ALGORITHM = {
    "Figures 8 to 10": {"Datafly": 8, "Mondrian strict": 9, "Mondrian relaxed": 10},
    "Figures 11 to 13": {"Datafly": 11, "Mondrian strict": 12, "Mondrian relaxed": 13},
}


def figures(experiments: tuple[Experiment, ...]) -> Mapping[str, Callable[[], Chart]]:
    """By file name: one figure per algorithm and kind of data set, then Adult's."""
    drawn: dict[str, Callable[[], Chart]] = {}
    for experiment in experiments:
        for algorithm, number in BY_ALGORITHM.get(experiment.source, {}).items():
            drawn[f"figure_{number}"] = _by_data(experiment, algorithm)
        if experiment.source == "Figure 14":
            drawn["figure_14"] = _by_k(experiment)
    return drawn


def _by_data(experiment: Experiment, algorithm: str) -> Callable[[], Chart]:
    picked = [row for row in _rows(experiment) if row["algorithm"] == algorithm]
    return lambda: line_panels(
        picked, x="data", series="k", title=f"{algorithm}: {experiment.title.lower()}"
    )


def _by_k(experiment: Experiment) -> Callable[[], Chart]:
    return lambda: line_panels(_rows(experiment), x="k", series="algorithm", title="Adult")


def _rows(experiment: Experiment) -> list[dict[str, Any]]:
    return [
        {**cell.where, "measure": cell.quantity, "value": cell.ours} for cell in experiment.cells
    ]
