"""How much of each column is as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import BESIDE_LABELS, FAINT, INK, SAFE, finished, plotting, rows
from microveil.plots.results import score_of

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.release import Release
    from microveil.scores import Score

MOST_COLUMNS = 30
"""With more columns, the figure shows those that lost most."""


def kept_cells_chart(result: Score | Release | Any) -> Chart:
    """Share of each column's cells that the release shows unchanged.

    Takes the score ``cell_changes``, or a Release or Comparison that has it.
    """
    score = score_of(result, "cell_changes")
    alt = plotting()
    kept = dict(score.parts["kept"])
    shown = sorted(kept, key=kept.__getitem__)[:MOST_COLUMNS]
    columns = [name for name in kept if name in set(shown)]
    data = rows({"column": name, "kept": kept[name], "whole": 1} for name in columns)
    base = alt.Chart(data).encode(
        y=alt.Y("column:N", sort=None, title=None, axis={"domain": False, "ticks": False})
    )
    scale = alt.Scale(domain=[0, 1], nice=False)
    axis = alt.Axis(format="%", tickCount=5, grid=False)
    track = base.mark_bar(color=FAINT, height=12).encode(
        x=alt.X("whole:Q", scale=scale, axis=axis, title="Cells kept as they were")
    )
    bar = base.mark_bar(color=SAFE, height=12).encode(
        x=alt.X("kept:Q", scale=scale),
        tooltip=[
            alt.Tooltip("column:N", title="Column"),
            alt.Tooltip("kept:Q", title="Kept", format=".1%"),
        ],
    )
    label = base.mark_text(align="left", dx=6, color=INK, fontSize=12).encode(
        x=alt.X("whole:Q", scale=scale), text=alt.Text("kept:Q", format=".0%")
    )
    few = len(kept) <= MOST_COLUMNS
    subtitle = "" if few else f"the {MOST_COLUMNS} of {len(kept)} columns that lost most"
    return finished(
        track + bar + label,
        title="What each column kept",
        subtitle=subtitle,
        width=BESIDE_LABELS,
        height=max(40, 22 * len(columns)),
    )
