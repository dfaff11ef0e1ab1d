"""The page's utility section, and the figures of the columns that changed."""

from __future__ import annotations

from collections.abc import Sequence

from microveil.reports.figure import Figure
from microveil.reports.markup import Markup, element
from microveil.reports.page_measures import measures_by_question
from microveil.reports.page_parts import (
    figure_row,
    not_taken,
    section,
    side_by_side,
    table,
)
from microveil.reports.summary import Utility
from microveil.reports.wording import percent

MANY_COLUMNS = 30


def utility_section(utility: Utility | None, figures: Sequence[Figure]) -> Markup:
    """What the protection cost: cells first, then every other measure."""
    if utility is None:
        return section("Utility", element("p", "No utility was measured."), figure_row(figures))
    rounded, scores = utility.rounded, utility.scores or {}
    lost = element("strong", percent(utility.lost_share, rounded=rounded))
    detail = None
    if utility.parts is not None:
        part = {
            name: percent(utility.parts[f"{name}_share"])
            for name in ("changed", "suppressed", "removed")
        }
        detail = (
            f" {part['changed']} have a different value, {part['suppressed']} are now missing, "
            f"{part['removed']} were removed with their row or column."
        )
    rows = [
        [element("code", name), percent(share, rounded=rounded)]
        for name, share in utility.kept.items()
    ]
    columns = element(
        "details",
        element("summary", "Numbers by column"),
        table(["Column", "Cells unchanged"], rows, numeric_from=1),
        open=len(rows) <= MANY_COLUMNS,
    )
    return section(
        "Utility",
        element("p", "Of the original's cells, ", lost, " are not shown unchanged.", detail),
        side_by_side(figure_row(figures), columns if rows else None),
        *measures_by_question({name: (one, None) for name, one in scores.items()}),
        element("p", utility.note) if utility.note else None,
        not_taken(utility.not_taken),
    )


def columns_section(figures: Sequence[Figure]) -> Markup | None:
    """Distributions, errors and correlations before and after."""
    if not figures:
        return None
    return section("Columns before and after", figure_row(figures))
