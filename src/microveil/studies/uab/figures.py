"""Figures 4 to 10 of the thesis: histograms and sorted absolute errors, from our releases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.studies.sources import salaries, titanic_ages
from microveil.studies.uab.methods import methods
from microveil.tables import Table

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

NUMBERS = {
    5: ("additive noise",),
    7: ("multiplicative noise",),
    8: ("rank swap", "rank swap, blocks"),
    10: ("microaggregation",),
}
"""Histograms of a figure, by method."""
ERRORS = {6: NUMBERS[5], 9: NUMBERS[8], 10: NUMBERS[10]}
"""Error curves of a figure, by method."""


def figures() -> Mapping[str, Callable[[], Chart]]:
    """By file name; figure 4 shows the data as they are."""
    drawn: dict[str, Callable[[], Chart]] = {}
    for kind, frame in {"ages": titanic_ages(), "salaries": salaries()}.items():
        drawn[f"figure_4_{kind}"] = _histogram(frame, None)
        for number, names in NUMBERS.items():
            for name in names:
                label = f"_{name.replace(', ', '_').replace(' ', '_')}" if len(names) > 1 else ""
                drawn[f"figure_{number}_{kind}{label}"] = _histogram(frame, name)
        for number, names in ERRORS.items():
            drawn[f"figure_{number}_{kind}_errors"] = _errors(frame, names)
    return drawn


def _release(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    method = methods(frame.columns[0])[name]
    return method.apply(Table(frame), np.random.default_rng([2021, 0])).table.frame


def _histogram(frame: pl.DataFrame, name: str | None) -> Callable[[], Chart]:
    def draw() -> Chart:
        from microveil.plots import histogram_chart

        released = frame if name is None else _release(frame, name)
        return histogram_chart(frame, released, column=frame.columns[0])

    return draw


def _errors(frame: pl.DataFrame, names: tuple[str, ...]) -> Callable[[], Chart]:
    def draw() -> Chart:
        from microveil.plots import error_curves_chart

        releases = {name: (frame, _release(frame, name)) for name in names}
        return error_curves_chart(releases, columns=frame.columns)

    return draw
