"""Distribution of class sizes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import RISKY, SAFE, finish, plotting, rows
from microveil.plots.results import assessment_of
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.release import Release
    from microveil.risk import Assessment

MOST_LEVEL = 7
"""Number of bins whose labels fit side by side."""


TITLE = phrase("Class sizes")


def class_sizes_chart(result: Assessment | Release | Any, *, title: str = TITLE) -> Chart:
    """Records by class size, with sizes below the acceptable k highlighted.

    Takes an Assessment, or a Release or Comparison, whose released table is then shown.
    """
    alt = plotting()
    assessment = assessment_of(result)
    enough = assessment.acceptable_k
    below = phrase("below the acceptable k = {enough}", enough=enough)
    reached = phrase("k = {enough} or more", enough=enough)
    bins = binned_sizes(assessment.sizes.to_dicts(), enough)
    kinds = [{"kind": below if one["start"] < enough else reached} for one in bins]
    crowded = len(bins) > MOST_LEVEL
    chart = (
        alt.Chart(rows(one | kind for one, kind in zip(bins, kinds, strict=True)))
        .mark_bar(cornerRadiusEnd=2)
        .encode(
            x=alt.X(
                "size:N",
                sort=None,
                title=phrase("Records that share their keys"),
                axis=alt.Axis(labelAngle=-45 if crowded else 0),
            ),
            y=alt.Y(
                "n_records:Q",
                title=phrase("Records"),
                # Not stacked: stacking would cut the bars out by named paths, and names clash
                # if several figures are on one page.
                stack=None,
                axis=alt.Axis(format="~s", tickCount=5),
            ),
            color=alt.Color(
                "kind:N", scale=alt.Scale(domain=[below, reached], range=[RISKY, SAFE])
            ),
            tooltip=[
                alt.Tooltip("size:N", title=phrase("Class size")),
                alt.Tooltip("n_records:Q", title=phrase("Records"), format=","),
                alt.Tooltip("n_classes:Q", title=phrase("Classes"), format=","),
            ],
        )
    )
    return finish(chart, title=title, subtitle=_summary(assessment), height=200)


def _summary(assessment: Assessment) -> str:
    return phrase(
        "{n_records:,} records in {n_classes:,} classes",
        n_records=assessment.n_records,
        n_classes=assessment.n_classes,
    )


def binned_sizes(sizes: list[dict[str, Any]], edge: int) -> list[dict[str, Any]]:
    """Class sizes in bins that grow 1, 2, 5, 10, 20, 50 …; a bin also starts at ``edge``.

    Empty bins between filled ones are kept, so that a gap is visible.

    >>> one = {"size": 7, "n_classes": 2, "n_records": 14}
    >>> binned_sizes([one], edge=7)
    [{'size': '7–9', 'start': 7, 'n_classes': 2, 'n_records': 14}]
    """
    if not sizes:
        return []
    edges = _edges(max(one["size"] for one in sizes), edge)
    bins = []
    for start, end in pairwise(edges):
        inside = [one for one in sizes if start <= one["size"] < end]
        bins.append(
            {
                "size": _label(start, end - 1),
                "start": start,
                "n_classes": sum(one["n_classes"] for one in inside),
                "n_records": sum(one["n_records"] for one in inside),
            }
        )
    first = next(i for i, one in enumerate(bins) if one["n_records"])
    return bins[first:]


def _edges(largest: int, edge: int) -> list[int]:
    edges = {1, 3, edge}
    decade = 1
    while decade <= largest:
        edges.update((decade, 2 * decade, 5 * decade))
        decade *= 10
    ordered = sorted({*edges, decade})
    last = next(i for i, start in enumerate(ordered) if start > largest)
    return ordered[: last + 1]


def _label(first: int, last: int) -> str:
    return _short(first) if first == last else f"{_short(first)}–{_short(last)}"


def _short(number: int) -> str:
    """A size as short as an axis needs: in its bin, 1999 can be written 2k."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= unit:
            return f"{number / unit:.3g}{letter}"
    return str(number)
