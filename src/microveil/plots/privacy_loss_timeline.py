"""How a privacy budget was spent over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import InputError
from microveil.plots.drawing import INK, RISKY, SAFE, finish, plotting, rows
from microveil.tables import to_polars
from microveil.tables.roles import check_columns

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart

COLUMNS = ("time", "query", "epsilon")


def privacy_loss_timeline_chart(spending: Any, *, budget: float | None = None) -> Chart:
    """The cumulative privacy loss ε, query by query, with the budget.

    ``spending`` is a frame with ``time`` (dates, times or numbers), ``query`` (its name) and
    ``epsilon`` (spent by that query). Losses add up (sequential composition, Dwork et al. 2006).
    """
    frame = to_polars(spending)
    check_columns(COLUMNS, frame.columns)
    spent = _running(frame, budget)
    alt = plotting()
    kind = "T" if frame.schema["time"].is_temporal() else "Q"
    base = alt.Chart(rows(spent)).encode(x=alt.X(f"time:{kind}", title="Time"))
    total = alt.Y("total:Q", title="Cumulative privacy loss ε", scale=alt.Scale(domainMin=0))
    line = base.mark_line(interpolate="step-after", color=SAFE, strokeWidth=2).encode(y=total)
    dot = base.mark_point(filled=True, size=45, color=SAFE, opacity=1).encode(
        y=total,
        tooltip=[
            alt.Tooltip("query:N", title="Query"),
            alt.Tooltip(f"time:{kind}", title="Time"),
            alt.Tooltip("epsilon:Q", title="ε of the query", format=".4~g"),
            alt.Tooltip("total:Q", title="ε so far", format=".4~g"),
        ],
    )
    chart = line + dot
    summary = f"{len(spent):,} queries, ε = {spent[-1]['total']:.4g}" if spent else "no query yet"
    if budget is not None:
        mark = alt.Chart(rows([{"budget": budget, "words": f"budget ε = {budget:g}"}]))
        chart += mark.mark_rule(color=RISKY, strokeDash=[6, 4], strokeWidth=1.5).encode(
            y="budget:Q"
        )
        chart += mark.mark_text(align="left", dx=4, dy=-7, color=INK, fontSize=12).encode(
            y="budget:Q", x=alt.value(0), text="words:N"
        )
        summary += f" of {budget:g}"
    return finish(chart, title="Privacy loss over time", subtitle=summary, height=200)


def _running(frame: pl.DataFrame, budget: float | None) -> list[dict[str, Any]]:
    """Each query with the total spent after it, in chronological order."""
    if not frame.schema["epsilon"].is_numeric():
        raise InputError("Column 'epsilon' must hold numbers: the ε spent by each query.")
    spent = frame["epsilon"].cast(pl.Float64)
    if spent.null_count() or not bool(((spent >= 0) & spent.is_finite()).all()):
        raise InputError("Every query must spend a finite, non-negative ε.")
    if budget is not None and budget <= 0:
        raise InputError("A budget must be larger than zero.")
    when = frame.schema["time"]
    if not (when.is_numeric() or when.is_temporal()):
        raise InputError("Column 'time' must hold dates, times or numbers.")
    ordered = frame.select(COLUMNS).sort("time", maintain_order=True)
    ordered = ordered.with_columns(pl.col("epsilon").cum_sum().alias("total"))
    if when.is_temporal():
        ordered = ordered.with_columns(pl.col("time").cast(pl.String))
    return ordered.to_dicts()
