"""How the risk of single records is distributed."""

from __future__ import annotations

from itertools import pairwise
from math import floor, inf, log10
from typing import TYPE_CHECKING, Any

import numpy as np

from microveil.errors import InputError
from microveil.plots.drawing import INK, RISKY, SAFE, finish, plotting, rows, share_tip
from microveil.plots.small_counts import SMALL_COUNT, drawable, for_public
from microveil.texts import phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.plots.drawing import Chart
    from microveil.scores import Score

MOST_BINS = 12
"""Number of bins shown; records with a lower risk are in the lowest."""
MOST_LEVEL = 5
"""Number of bins whose labels fit side by side."""
CUMULATIVE = "all at this risk or more"


def record_risk_chart(
    score: Score,
    *,
    threshold: float = 0.1,
    audience: str = "internal",
    title: str = "Risk of records",
) -> Chart:
    """Share of the records by risk, and the share at a risk or more, with high risks highlighted.

    Takes any score with a risk for each record. Records without risk are given in words, not drawn.
    For the public, counts are rounded and small ones left out.
    """
    risks = _risks(score)
    public = for_public(audience)
    bins = risk_bins(risks, threshold, public=public)
    alt = plotting()
    words = [f"{threshold:g} or less", f"above {threshold:g}", CUMULATIVE]
    colours = alt.Scale(domain=words, range=[SAFE, RISKY, INK])
    base = alt.Chart(rows(_draw(bins, threshold, words), shares=["above"])).encode(
        x=alt.X(
            "risk:N",
            sort=None,
            title=phrase("Risk of a record"),
            axis=alt.Axis(labelAngle=-45 if len(bins) > MOST_LEVEL else 0),
        ),
        tooltip=[
            alt.Tooltip("risk:N", title=phrase("Risk")),
            alt.Tooltip("n_records:Q", title=phrase("Records"), format=","),
            share_tip("above", phrase("Share at this risk or more")),
        ],
    )
    axis = alt.Axis(format="~%", tickCount=5)
    scale = alt.Scale() if bins else alt.Scale(domain=[0, 1])
    bars = base.mark_bar(cornerRadiusEnd=2).encode(
        y=alt.Y(
            "share:Q", title=phrase("Share of all records"), stack=None, axis=axis, scale=scale
        ),
        color=alt.Color("kind:N", scale=colours),
    )
    line = base.mark_line(point={"filled": True, "size": 40}, strokeWidth=1.5).encode(
        y=alt.Y("above:Q", axis=axis, scale=scale), color=alt.Color("line:N", scale=colours)
    )
    subtitle = _summary(risks, threshold, public=public)
    return finish(bars + line, title=title, subtitle=subtitle, height=200)


def risk_bins(
    risks: NDArray[np.float64], edge: float, *, public: bool = False
) -> list[dict[str, Any]]:
    """Risks above 0 in bins that end at … 0.1, 0.2, 0.5, 1; a bin also ends at ``edge``.

    A bin holds the risks above ``low`` and up to ``high``; ``above`` is the share of all records in
    it and in higher ones. Empty bins between filled ones are kept, so that a gap is visible.

    >>> risk_bins(np.array([0.0, 0.15, 0.15, 0.2]), 0.1)
    [{'low': 0.1, 'high': 0.2, 'n_records': 3, 'share': 0.75, 'above': 0.75}]
    """
    risky = risks[risks > 0]
    if not len(risky):
        return []
    edges = _edges(float(risky.min()), float(risky.max()), edge)
    # Counting the negatives gives bins that include their upper edge, and not the lower.
    counts = np.histogram(-risky, bins=[-one for one in reversed(edges)])[0][::-1]
    drawn = [drawable(int(count), public=public) for count in counts]
    above = np.cumsum(drawn[::-1])[::-1]
    bins = [
        {
            "low": low,
            "high": high,
            "n_records": count,
            "share": count / len(risks),
            "above": min(float(total) / len(risks), 1.0),
        }
        for (low, high), count, total in zip(pairwise(edges), drawn, above, strict=True)
    ]
    filled = [place for place, count in enumerate(drawn) if count]
    return bins[filled[0] : filled[-1] + 1] if filled else []


def _edges(lowest: float, highest: float, edge: float) -> list[float]:
    """Edges 1, 2, 5, 10, … of each decade, from the highest risk down, and one more."""
    decades = range(floor(log10(lowest)) - 1, floor(log10(highest)) + 2)
    steps = {float(f"{digit}e{decade}") for decade in decades for digit in (1, 2, 5)}
    if lowest <= edge <= highest:
        steps.add(edge)
    ordered = sorted(steps)
    last = next(place for place, one in enumerate(ordered) if one >= highest)
    first = max(place for place, one in enumerate(ordered) if one < lowest)
    if last - first > MOST_BINS:
        return [0.0, *ordered[last - MOST_BINS + 1 : last + 1]]
    return ordered[first : last + 1]


def _risks(score: Score) -> NDArray[np.float64]:
    if score.records is None:
        raise InputError(
            "This figure needs a risk of each record, and the score '{measure}' has none. "
            "Measure class_sizes or special_uniques, for example.",
            measure=score.measure,
        )
    risks = np.asarray(score.records, dtype=np.float64)
    n_odd = int((~((risks >= 0) & (risks < inf))).sum())
    if n_odd:
        raise InputError(
            "{n_odd:,} of the {n_risks:,} values of the score '{measure}' are not risks: "
            "negative or not finite. Draw a score whose records are 0 or more.",
            n_odd=n_odd,
            n_risks=len(risks),
            measure=score.measure,
        )
    return risks


def _draw(bins: list[dict[str, Any]], threshold: float, words: list[str]) -> list[dict[str, Any]]:
    return [
        {
            "risk": f"{one['low']:g}–{one['high']:g}" if one["low"] else f"≤ {one['high']:g}",
            "n_records": one["n_records"],
            "share": one["share"],
            "above": one["above"],
            "kind": words[one["high"] > threshold],
            "line": CUMULATIVE,
        }
        for one in bins
    ]


def _summary(risks: NDArray[np.float64], threshold: float, *, public: bool) -> str:
    """How many records are above the threshold, and how many have no risk."""
    high, none, whole = (
        f"{drawable(count, public=public):,}"
        for count in (int((risks > threshold).sum()), int((risks == 0).sum()), len(risks))
    )
    told = phrase(
        "{high} of {whole} records above {threshold:g}", high=high, whole=whole, threshold=threshold
    )
    if none != "0":
        told = phrase("{told}, {none} without risk", told=told, none=none)
    if not public:
        return told
    return phrase("{told}; counts rounded to {step}s", told=told, step=SMALL_COUNT)
