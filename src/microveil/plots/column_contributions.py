"""Which columns make records special uniques."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from microveil.errors import InputError
from microveil.plots.drawing import BESIDE_LABELS, RISKY, finish
from microveil.plots.share_bars import bars_height, share_bars
from microveil.plots.small_counts import SMALL_COUNT, drawable, for_public
from microveil.texts import phrase

if TYPE_CHECKING:
    from microveil.plots.drawing import Chart
    from microveil.scores import Score

MOST_COLUMNS = 30
"""With more columns, the figure shows those that contribute most."""


def column_contributions_chart(score: Score, *, audience: str = "internal") -> Chart:
    """Share of all SUDA scores that each column contributes to, the worst column first.

    For the public, shares are rounded to steps of at least as many unique records as may be shown,
    and nothing is drawn for fewer.
    """
    if "contributions" not in score.parts or "n_unique" not in score.parts:
        raise InputError(
            "This figure needs the score `special_uniques`, not `{measure}`.", measure=score.measure
        )
    public = for_public(audience)
    n_unique = int(score.parts["n_unique"])
    shares = _shares(score.parts["contributions"], n_unique, public=public)
    worst = sorted(shares, key=shares.__getitem__, reverse=True)[:MOST_COLUMNS]
    bars = share_bars(
        {name: shares[name] for name in worst},
        axis=phrase("Share of the scores it contributes to"),
        word=phrase("Share"),
        colour=RISKY,
    )
    subtitle = phrase(
        "{drawable:,} records are special uniques", drawable=drawable(n_unique, public=public)
    )
    if public:
        subtitle = phrase(
            "{told}; counts rounded to {step}s, shares likewise", told=subtitle, step=SMALL_COUNT
        )
    if len(shares) > MOST_COLUMNS:
        subtitle = phrase(
            "{told}; the worst {most} of {n} columns",
            told=subtitle,
            most=MOST_COLUMNS,
            n=len(shares),
        )
    return finish(
        bars,
        title=phrase("Columns that make records special uniques"),
        subtitle=subtitle,
        width=BESIDE_LABELS,
        height=bars_height(len(worst)),
    )


def _shares(contributions: Mapping[str, float], n_unique: int, *, public: bool) -> dict[str, float]:
    """The share of each column; for the public, rounded to steps of at least this many records."""
    if not public:
        return dict(contributions)
    if n_unique < SMALL_COUNT:
        return {}
    step = max(SMALL_COUNT / n_unique, 0.01)
    return {name: min(1.0, round(share / step) * step) for name, share in contributions.items()}
