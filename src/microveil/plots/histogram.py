"""A column's numbers before and after protection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.errors import ColumnError
from microveil.pairs.numbers import released_numbers
from microveil.plots.bins import counts_in, numbers_of, round_edges
from microveil.plots.date_bars import date_bars, has_dates
from microveil.plots.drawing import RISKY, SAFE, finish, plotting, rows
from microveil.plots.pairs import pair_of, shared_columns
from microveil.plots.small_counts import SMALL_COUNT, drawable, for_public
from microveil.plots.spreading import spread_counts
from microveil.tables.kinds import is_number
from microveil.texts import phrase

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from microveil.plots.drawing import Chart
    from microveil.tables import Table

SIDES = ("original", "protected")


def histogram_chart(
    original: Any, released: Any = None, *, column: str, audience: str = "internal"
) -> Chart:
    """Histogram of a column of numbers or dates in the original and in the release, overlaid.

    Takes a Release, or two frames. Both have the same bins, with round edges; records whose
    value was replaced by an interval are shared out evenly over it. For the public, counts are
    rounded and small ones left out; the axis then ends where bars end, so that no extreme value
    shows.
    """
    before, after = pair_of(original, released)
    shared_columns(before, after, [column])
    public = for_public(audience)
    dates = has_dates(before.frame[column])
    bars = (date_bars if dates else histogram_bars)(before, after, column, public=public)
    if bars is None:
        raise ColumnError(
            "Column '{column}' holds labels that name no date. Use marginals_chart.", column=column
        )
    note = (
        phrase("counts rounded to {small_count}s, smaller ones left out", small_count=SMALL_COUNT)
        if public
        else ""
    )
    layer = histogram_layer(bars, column, dates=dates)
    return finish(layer, title=column, subtitle=note, height=180)


def histogram_layer(bars: list[dict[str, Any]], title: str, *, dates: bool = False) -> Any:
    """The drawing without title and size, so that several can be combined in one figure."""
    alt = plotting()
    kind, unit = ("T", "utcyearmonthdatehoursminutes") if dates else ("Q", alt.Undefined)
    scale = alt.Scale(type="utc", nice=False) if dates else alt.Scale(nice=False, zero=False)
    colours = alt.Scale(domain=list(SIDES), range=[RISKY, SAFE])
    base = alt.Chart(rows(bars)).encode(
        x=alt.X(f"start:{kind}", title=title, scale=scale),
        x2="end:Q",
        y2=alt.datum(0),
        tooltip=[
            alt.Tooltip("side:N", title=phrase("Table")),
            alt.Tooltip(f"start:{kind}", title=phrase("From"), timeUnit=unit),
            alt.Tooltip(f"end:{kind}", title=phrase("To, not included"), timeUnit=unit),
            alt.Tooltip("count:Q", title=phrase("Records"), format=","),
        ],
    )
    y = alt.Y(
        "count:Q", title=phrase("Records"), stack=None, axis=alt.Axis(format="~s", tickCount=4)
    )
    after = (
        base.transform_filter("datum.side == 'protected'")
        .mark_bar(binSpacing=1, opacity=0.55)
        .encode(y=y, color=alt.Color("side:N", scale=colours))
    )
    # The original is an outline, so that both are visible whether or not they differ.
    before = (
        base.transform_filter("datum.side == 'original'")
        .mark_bar(binSpacing=1, filled=False, strokeWidth=1.75)
        .encode(y=y, color=alt.Color("side:N", scale=colours))
    )
    return after + before


def histogram_bars(
    before: Table, after: Table, column: str, *, public: bool = False
) -> list[dict[str, Any]]:
    """Number of records of each table in each bin."""
    numbers = released_numbers(before.frame[column], after.frame[column])
    if numbers is None:
        raise ColumnError(
            "Column '{column}' is not numeric in both tables. Use marginals_chart.", column=column
        )
    samples = [numbers_of(one) for one in (before.frame[column], numbers)]
    edges = _edges(samples, labels=not is_number(after.frame[column].dtype))
    counts = [np.asarray(counts_in(one, edges), dtype=np.float64) for one in samples]
    spread = _spread(before.frame[column], after.frame[column], edges)
    counts[1] = counts[1] if spread is None else spread
    return [
        {"side": side, "start": float(start), "end": float(end), "count": shown}
        for side, one in zip(SIDES, counts, strict=True)
        for start, end, count in zip(edges[:-1], edges[1:], one, strict=True)
        if (shown := drawable(round(count), public=public))
    ]


def _edges(samples: list[NDArray[np.float64]], *, labels: bool) -> NDArray[np.float64]:
    """The edges of the bins; the middle of a label makes no fraction of whole numbers."""
    before, after = samples
    if labels and bool((before == np.round(before)).all()):
        after = np.floor(after)
    return round_edges(before, after)


def _spread(
    before: pl.Series, after: pl.Series, edges: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Counts of labels over their intervals; none where the release holds plain numbers."""
    if is_number(after.dtype) or not before.dtype.is_numeric():
        return None
    numbers = numbers_of(before)
    return spread_counts(after, edges, whole=bool((numbers == np.round(numbers)).all()))
