"""The page's utility section, and the figures of the columns that changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from microveil.reports.words.wording import percent
from microveil.texts import Message

MANY_COLUMNS = 30
UTILITY = Message("report.utility", "Utility")


def utility_section(utility: Utility | None, figures: Sequence[Figure]) -> Markup:
    """What the protection cost: cells first, then every other measure."""
    if utility is None:
        none = Message("report.no_utility_was_measured", "No utility was measured.")
        return section(UTILITY, element("p", none), figure_row(figures))
    rounded, scores = utility.rounded, utility.scores or {}
    lost = element("strong", percent(utility.lost_share, rounded=rounded))
    rows = [
        [element("code", name), percent(share, rounded=rounded)]
        for name, share in utility.kept.items()
    ]
    columns = element(
        "details",
        element("summary", Message("report.numbers_column", "Numbers by column")),
        table(
            [
                Message("report.column", "Column"),
                Message("report.cells_unchanged", "Cells unchanged"),
            ],
            rows,
            numeric_from=1,
        ),
        open=len(rows) <= MANY_COLUMNS,
    )
    return section(
        UTILITY,
        element(
            "p",
            Message("report.of_cells", "Of the original's cells, "),
            lost,
            Message("report.not_unchanged", " are not shown unchanged."),
            _detail(utility),
        ),
        side_by_side(figure_row(figures), columns if rows else None),
        *measures_by_question({name: (one, None) for name, one in scores.items()}),
        element("p", utility.note) if utility.note else None,
        not_taken(utility.not_taken),
    )


def _detail(utility: Utility) -> Message | None:
    """What became of the cells that are not unchanged."""
    if utility.parts is None:
        return None
    part: dict[str, Any] = {
        name: percent(utility.parts[f"{name}_share"])
        for name in ("changed", "suppressed", "removed")
    }
    return Message(
        "report.cells",
        " {changed} have a different value, {suppressed} are now missing, {removed} were removed "
        "with their row or column.",
        **part,
    )


def columns_section(figures: Sequence[Figure]) -> Markup | None:
    """Distributions, errors and correlations before and after."""
    if not figures:
        return None
    return section(
        Message("report.columns_before_after", "Columns before and after"), figure_row(figures)
    )
