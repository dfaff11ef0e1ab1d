"""Risk of the original and of the release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import (
    BESIDE_LABELS,
    NEUTRAL,
    RISKY,
    SAFE,
    finish,
    plotting,
    rows,
    share_tip,
)
from microveil.plots.results import assessments_of
from microveil.texts import Message, phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.release import Release
    from microveil.risk import Assessment

MEASURES = {
    "highest_risk": phrase("Highest risk (1/k)"),
    "average_risk": phrase("Average risk"),
    "unique_share": phrase("Unique records"),
    "below_acceptable_share": phrase("Records below acceptable k"),
}
"""Shares in an assessment, and their labels."""
BEFORE, AFTER = Message("chart.before", "before"), Message("chart.after", "after")


def risk_before_after_chart(
    before: Assessment | Release | Any, after: Assessment | None = None
) -> Chart:
    """Each risk as a ring before and a dot after protection, on one scale from 0 to 100 %.

    Takes two Assessments, or a Release or Comparison, which has both.
    """
    alt = plotting()
    base = alt.Chart(
        rows(_moves(*assessments_of(before, after)), shares=["before", "after"])
    ).encode(y=alt.Y("measure:N", sort=list(MEASURES.values()), title=None))
    scale, axis = alt.Scale(domain=[0, 1], nice=False), alt.Axis(format="%", tickCount=5)
    title = phrase("Share of records, or probability of the right one")
    colours = alt.Scale(domain=[BEFORE, AFTER], range=[RISKY, SAFE])
    line = base.mark_rule(color=NEUTRAL, strokeWidth=2).encode(
        x=alt.X("before:Q", scale=scale, axis=axis, title=title), x2="after:Q"
    )
    # The ring is larger than the dot, so that both are visible if nothing changed.
    ring = base.mark_point(size=170, strokeWidth=2.5, fill="white", opacity=1).encode(
        x=alt.X("before:Q", scale=scale),
        color=alt.Color("when:N", scale=colours),
        tooltip=_tooltip("before"),
    )
    dot = base.mark_point(size=70, filled=True, opacity=1).encode(
        x=alt.X("after:Q", scale=scale),
        color=alt.Color("then:N", scale=colours),
        tooltip=_tooltip("after"),
    )
    return finish(
        line + ring + dot, title=phrase("Risk before and after"), width=BESIDE_LABELS, height=170
    )


def _moves(before: Assessment, after: Assessment) -> list[dict[str, Any]]:
    old, new = before.to_dict(), after.to_dict()
    return [
        {
            "measure": words,
            "before": old[name],
            "after": new[name],
            "when": BEFORE,
            "then": AFTER,
        }
        for name, words in MEASURES.items()
    ]


def _tooltip(when: str) -> list[Any]:
    alt = plotting()
    return [
        alt.Tooltip("measure:N", title=phrase("Measure")),
        share_tip(when, BEFORE if when == "before" else AFTER),
    ]
