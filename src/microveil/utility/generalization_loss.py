"""Generalisation loss: the share of its column's values that each released cell covers."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from microveil.scores import Score
from microveil.tables import Table
from microveil.utility.parts.covering_measure import CoveringMeasure
from microveil.utility.parts.key_columns import KeyColumn, n_removed
from microveil.utility.parts.shares import share


class GeneralizationLoss(CoveringMeasure):
    """Mean share of a column's values that a released cell still leaves possible.

    A cell that covers c of D values loses (c − 1)/(D − 1): 0 for the value itself, 1 for ``*``, a
    missing cell, a removed record or a dropped key (Iyengar 2002; ARX's *Loss*). Values are those
    of the original, or the leaves of the column's hierarchy if one is given. The score is the mean
    over columns; ``parts`` has each column, their geometric mean (the score that ARX's search uses)
    and ``granularity`` (ARX's quality: 1 is no loss). What a label covers is determined
    automatically: see :mod:`microveil.labels.covering`. Wrong values are no coarser than right
    ones, so use other measures for noise and swapping.

    >>> before = {"age": [31, 38, 52, 57]}
    >>> after = {"age": ["[30, 40)", "[30, 40)", "52", "*"]}
    >>> round(GeneralizationLoss().measure(before, after).value, 4)
    0.4167
    """

    question: ClassVar[str] = "How coarse did values become?"
    title: ClassVar[str] = "Values left possible"
    plain: ClassVar[str] = "Share of a column's values that a released cell leaves possible."
    headline: ClassVar[bool] = True
    name: Literal["generalization_loss"] = "generalization_loss"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"

    def score_covering(self, original: Table, released: Table, keys: list[KeyColumn]) -> Score:
        """Compute what each released cell covers."""
        removed = n_removed(original, released)
        found = {key.name: _loss(key, removed) for key in keys}
        losses = {name: loss for name, (loss, _) in found.items()}
        values, room = np.array(list(found.values())).reshape(-1, 2).T
        parts = {
            "columns": losses,
            "geometric_mean": float(np.exp(np.log1p(values).mean()) - 1) if len(values) else 0.0,
            "granularity": 1 - share(values @ room, room.sum()),
            "n_columns_removed": sum(key.released is None for key in keys),
        }
        value = float(values.mean()) if len(values) else 0.0
        return Score(measure=self.kind(), value=value, parts=parts)


def _loss(key: KeyColumn, n_removed: int) -> tuple[float, float]:
    """Mean of (c − 1)/(D − 1) over the cells of a column, and 1 − 1/D."""
    covering = key.covering()
    most = max(covering.n_values - 1, 0)
    room = most / covering.n_values if covering.n_values else 0.0
    if key.released is None:
        return float(most > 0), room
    counts = np.bincount(covering.labels.of_record, minlength=len(covering.sizes) + 1)
    n_blanked = int(counts[-1]) - _n_missing_anyway(key)
    lost = int(counts[:-1] @ np.maximum(covering.sizes - 1, 0)) + (n_blanked + n_removed) * most
    return share(lost, (len(key.released) + n_removed) * most), room


def _n_missing_anyway(key: KeyColumn) -> int:
    """Cells missing in the release that were already missing, and so lost nothing."""
    if key.released is None:
        return 0
    if key.paired is None:
        return min(key.released.null_count(), key.original.null_count())
    return int((key.released.is_null() & key.paired.is_null()).sum())
