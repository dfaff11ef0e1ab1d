"""Columns with a share each: a bar on a track from 0 to 100 %, with the number beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from microveil.plots.drawing import FAINT, INK, in_percent, plotting, rows, share_tip
from microveil.texts import phrase

ROW = 22
"""Pixels per column."""


def share_bars(shares: Mapping[str, float], *, axis: str, word: str, colour: str) -> Any:
    """The drawing of shares by column, in their order, without title and size."""
    alt = plotting()
    data = rows(
        ({"column": name, "share": share, "whole": 1} for name, share in shares.items()),
        shares=["share"],
    )
    base = alt.Chart(data).encode(
        y=alt.Y("column:N", sort=None, title=None, axis={"domain": False, "ticks": False})
    )
    scale = alt.Scale(domain=[0, 1], nice=False)
    ticks = alt.Axis(format="%", tickCount=5, grid=False)
    track = base.mark_bar(color=FAINT, height=12).encode(
        x=alt.X("whole:Q", scale=scale, axis=ticks, title=axis)
    )
    bar = base.mark_bar(color=colour, height=12).encode(
        x=alt.X("share:Q", scale=scale),
        tooltip=[
            alt.Tooltip("column:N", title=phrase("Column")),
            share_tip("share", word),
        ],
    )
    label = base.mark_text(align="left", dx=6, color=INK, fontSize=12).encode(
        x=alt.X("whole:Q", scale=scale), text=alt.Text(f"{in_percent('share')}:N")
    )
    return track + bar + label


def bars_height(n_columns: int) -> int:
    """Pixels needed for a number of columns."""
    return max(40, ROW * n_columns)
