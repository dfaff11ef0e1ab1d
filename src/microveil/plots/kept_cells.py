"""How much of each column is unchanged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from microveil.plots.drawing import BESIDE_LABELS, SAFE, finish
from microveil.plots.results import score_of
from microveil.plots.share_bars import bars_height, share_bars
from microveil.texts import phrase

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
    kept = dict(score.parts["kept"])
    shown = sorted(kept, key=kept.__getitem__)[:MOST_COLUMNS]
    columns = [name for name in kept if name in set(shown)]
    bars = share_bars(
        {name: kept[name] for name in columns},
        axis=phrase("Cells unchanged"),
        word=phrase("Kept"),
        colour=SAFE,
    )
    few = len(kept) <= MOST_COLUMNS
    subtitle = (
        ""
        if few
        else phrase(
            "the {most_columns} of {n_kept} columns that lost most",
            most_columns=MOST_COLUMNS,
            n_kept=len(kept),
        )
    )
    return finish(
        bars,
        title=phrase("What each column kept"),
        subtitle=subtitle,
        width=BESIDE_LABELS,
        height=bars_height(len(columns)),
    )
