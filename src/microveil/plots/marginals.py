"""Each column's distribution before and after protection."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.errors import InputError
from microveil.pairs.numbers import released_numbers
from microveil.plots.date_bars import date_bars
from microveil.plots.drawing import (
    BESIDE_LABELS,
    NEUTRAL,
    RISKY,
    SAFE,
    WIDTH,
    plotting,
    rows,
    share_tip,
    stack,
)
from microveil.plots.histogram import SIDES, histogram_bars, histogram_layer
from microveil.plots.pairs import pair_of, shared_columns
from microveil.plots.regrouping import regroup
from microveil.plots.small_counts import SMALL_COUNT, drawable, for_public
from microveil.tables.kinds import is_number
from microveil.texts import join, phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.tables import Table

MOST_COLUMNS = 12
MOST_VALUES = 10
"""Number of values of a column that are drawn; the others are combined."""
MOST_LETTERS = 28
OTHERS = phrase("all other values")
MISSING = "missing"


def marginals_chart(
    original: Any,
    released: Any = None,
    *,
    columns: Sequence[str] = (),
    audience: str = "internal",
) -> Chart:
    """One panel per column: numbers and dates as histograms, categories as shares.

    Takes a Release or two frames. The most frequent values are drawn, the rest are combined.
    Where a column was recoded, originals are counted under the label they were released as. For the
    public, counts are rounded, and small ones left out or put with the rest.
    """
    before, after = pair_of(original, released)
    names = shared_columns(before, after, columns)
    public = for_public(audience)
    if not names:
        raise InputError("The tables have no column in common.")
    shown = names[:MOST_COLUMNS]
    first = phrase("the first {most} of {n} columns", most=MOST_COLUMNS, n=len(names))
    notes = [first] * (len(names) > MOST_COLUMNS)
    notes += [
        phrase("counts rounded to {small_count}s, smaller ones left out", small_count=SMALL_COUNT)
    ] * public
    return stack(
        [_panel(before, after, name, public=public) for name in shown],
        title=phrase("Columns before and after"),
        subtitle=join(notes, "; "),
    )


def _panel(before: Table, after: Table, name: str, *, public: bool) -> Any:
    bars = _bars(before, after, name, public=public)
    if bars is None:
        return _shares_panel(share_rows(before, after, name, public=public), name)
    dates = before.frame.schema[name].is_temporal()
    return histogram_layer(bars, name, dates=dates).properties(width=WIDTH, height=120)


def _bars(before: Table, after: Table, name: str, *, public: bool) -> list[dict[str, Any]] | None:
    """The bars of a histogram: for many numbers or dates before that are readable after."""
    original = before.frame[name]
    if not is_number(original.dtype) or original.n_unique() <= MOST_VALUES:
        return None
    if original.dtype.is_temporal():
        return date_bars(before, after, name, public=public)
    if released_numbers(original, after.frame[name]) is None:
        return None
    return histogram_bars(before, after, name, public=public)


def _shares_panel(shares: list[dict[str, Any]], name: str) -> Any:
    alt = plotting()
    labels = list(dict.fromkeys(row["value"] for row in shares))
    base = alt.Chart(rows(shares, shares=["share"])).encode(
        y=alt.Y(
            "value:N",
            sort=labels,
            title=None,
            axis=alt.Axis(labelLimit=150, offset=8, domain=False, ticks=False),
        ),
        tooltip=[
            alt.Tooltip("value:N", title=name),
            alt.Tooltip("side:N", title=phrase("Table")),
            share_tip("share", phrase("Share")),
        ],
    )
    x = alt.X(
        "share:Q",
        title=phrase("{name}: share of records", name=name),
        axis=alt.Axis(format="%", tickCount=5),
    )
    colours = alt.Scale(domain=list(SIDES), range=[RISKY, SAFE])
    line = base.mark_line(color=NEUTRAL, strokeWidth=2).encode(x=x, detail="value:N")
    # A ring before and a dot after, so that both are visible if nothing changed.
    ring = base.transform_filter("datum.side == 'original'").mark_point(
        size=130, strokeWidth=2.25, opacity=1
    )
    dot = base.transform_filter("datum.side == 'protected'").mark_point(
        size=50, filled=True, opacity=1
    )
    colour = alt.Color("side:N", scale=colours)
    chart = line + ring.encode(x=x, color=colour) + dot.encode(x=x, color=colour)
    return chart.properties(width=BESIDE_LABELS, height=max(40, 20 * len(labels)))


def share_rows(
    before: Table, after: Table, name: str, *, public: bool = False
) -> list[dict[str, Any]]:
    """The share of records with each value on each side.

    Values that begin with a number (intervals, years, codes) stand in its order, others by
    frequency.
    """
    counts = [_counts(one) for one in (regroup(before, after, name), after.frame[name])]
    heights = [max(1, one.height) for one in (before, after)]
    drawn = [
        {value: told for value, n in side.items() if (told := drawable(n, public=public))}
        for side in counts
    ]
    weight = {
        value: max(side.get(value, 0) / height for side, height in zip(drawn, heights, strict=True))
        for value in dict.fromkeys([*drawn[0], *drawn[1]])
    }
    chosen = sorted(weight, key=lambda value: -weight[value])[:MOST_VALUES]
    found = []
    for side, one, height in zip(SIDES, drawn, heights, strict=True):
        rest = drawable(height - sum(one.get(value, 0) for value in chosen), public=public)
        shown = {value: one[value] for value in chosen if value in one}
        if rest > 0 and len(shown) < len(counts[SIDES.index(side)]):
            shown[OTHERS] = rest
        found += [
            {"value": value, "side": side, "share": min(1.0, count / height)}
            for value, count in shown.items()
        ]
    order = {value: place for place, value in enumerate([*_in_order(chosen), OTHERS])}
    return sorted(found, key=lambda row: order[row["value"]])


_NUMBER = re.compile(r"(?<!\d)-?\d+(?:\.\d+)?|\d+")
_STARTS_WITH_NUMBER = re.compile(r"^[\[({<>≤≥ ]*-?\d")


def _in_order(values: Sequence[str]) -> list[str]:
    """Labels by the numbers in them, missing last, if all begin with one; otherwise as they are.

    >>> _in_order(["≥60", "missing", "[40, 60)", "<40"])
    ['<40', '[40, 60)', '≥60', 'missing']
    """
    there = [value for value in values if value != MISSING]
    if not all(_STARTS_WITH_NUMBER.match(value) for value in there):
        return list(values)
    return [*sorted(there, key=_numbers_in), *(value for value in values if value == MISSING)]


def _numbers_in(label: str) -> tuple[tuple[float, ...], bool]:
    """The numbers of a label; "<40" comes before what begins with 40."""
    numbers = [float(number) for number in _NUMBER.findall(label)]
    below = label.lstrip("[({ ").startswith(("<", "≤"))
    return (numbers[0] - 0.5 * below, *numbers[1:]), not below


def _counts(column: pl.Series) -> dict[str, int]:
    """How often each value occurs, as text; a missing one has its own label."""
    if column.dtype.is_nested() or column.dtype == pl.Object:
        column = pl.Series(
            [None if cell is None else str(cell) for cell in column], dtype=pl.String
        )
    texts = column.cast(pl.String).rename("value")
    counts = texts.value_counts(sort=True, name="n")
    found: dict[str, int] = {}
    for value, n in counts.iter_rows():
        label = MISSING if value is None else _short(value)
        found[label] = found.get(label, 0) + int(n)
    return found


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"
