"""Figures several studies draw: lines over a parameter, one panel under the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import finish, plotting, rows

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

# Okabe & Ito (2008), in an order in which neighbours differ in lightness as well.
SERIES_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000")

PANEL_HEIGHT = 90
PANEL_WIDTH = 520


def line_panels(
    values: Iterable[Mapping[str, Any]],
    *,
    x: str,
    series: str,
    title: str,
    order: Sequence[Any] | None = None,
    logarithmic: bool = True,
) -> Chart:
    """A line per series over ``x``, a panel per measure; rows have ``measure`` and ``value``."""
    alt = plotting()
    chart = (
        alt.Chart(rows(values))
        .mark_line(point=True)
        .encode(
            x=alt.X(f"{x}:N", sort=list(order) if order else None, title=x),
            y=alt.Y(
                "value:Q", title=None, scale=alt.Scale(type="symlog" if logarithmic else "linear")
            ),
            color=alt.Color(
                f"{series}:N", sort=None, scale=alt.Scale(range=list(SERIES_COLOURS)), title=series
            ),
            strokeDash=alt.StrokeDash(f"{series}:N", sort=None, title=series),
            row=alt.Row("measure:N", sort=None, title=None),
        )
        .resolve_scale(y="independent")
    )
    return finish(chart, title=title, height=PANEL_HEIGHT, width=PANEL_WIDTH)
