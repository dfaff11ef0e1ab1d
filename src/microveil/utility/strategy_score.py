"""Strategy score: suppression, merged categories and moved numbers in one number (sdcMicro)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from microveil.errors import InputError
from microveil.measures.base import UtilityMeasure
from microveil.pairs.alignment import align
from microveil.pairs.numbers import paired_numbers
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import finite_numbers, is_number
from microveil.tables.roles import Columns, check_columns
from microveil.tables.values import as_text
from microveil.utility.parts.key_columns import silent


class StrategyScore(UtilityMeasure):
    """Mean of suppression rate, category loss and IL1s per cell: sdcMicro's score of a strategy.

    U = (new missing cells / cells of the keys + mean over the keys of 1 − levels after / levels
    before + IL1s / (n·p)) / 3. It is the score by which sdcMicro 5.8 compares strategies; 0 is no
    loss. Levels are those that can be told apart: values that a label joins anywhere, or that are
    mistaken for each other, count as one, and ``*`` is missing; after grouping and suppression
    these are the values that are left, as sdcMicro counts. A removed record
    counts as all its key cells missing, a dropped key likewise, with no level left; a dropped
    number as if it had moved by one standard deviation. ``parts`` has the three terms.

    >>> before = {"sex": ["f", "f", "m", "m"], "pay": [1.0, 2.0, 3.0, 4.0]}
    >>> after = {"sex": ["f", "f", "m", None], "pay": [1.0, 2.0, 3.0, 4.0]}
    >>> found = StrategyScore(keys="sex", numbers="pay").measure(before, after)
    >>> round(found.value, 4), found.parts["suppression_rate"]
    (0.0833, 0.25)
    """

    question: ClassVar[str] = "How much is as it was?"
    title: ClassVar[str] = "sdcMicro's score of a strategy"
    name: Literal["strategy_score"] = "strategy_score"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "keys"
    needs_alignment: ClassVar[bool] = True
    by_default: ClassVar[bool] = False
    keys: Columns = ()
    """Categorical keys; by default the quasi-identifiers."""
    numbers: Columns = ()
    """Columns of amounts; by default the numeric ones that are no keys and have a role."""
    terms: tuple[float, float, float] = Field(default=(1.0, 1.0, 1.0))
    """Weights of the three terms, which are scaled to add up to 1."""

    def score(self, original: Table, released: Table) -> Score:
        """Compute the three terms."""
        keys = self.keys or original.roles.quasi_identifiers
        if not keys:
            raise InputError("'strategy_score' needs keys, or quasi-identifiers in the roles.")
        check_columns((*keys, *self.numbers), original.columns)
        for table in (original, released):
            refuse_nested(
                table.frame, [name for name in keys if name in table.columns], self.kind()
            )
        weights = np.array(self.terms)
        if weights.min() < 0 or weights.sum() <= 0:
            raise InputError("'strategy_score': weights of terms are 0 or more, and not all 0.")
        terms = {
            "suppression_rate": _suppression(original, released, keys),
            "category_loss": _category_loss(original, released, keys),
            "il1s_per_cell": self._moves(original, released, keys),
        }
        value = float(np.array(list(terms.values())) @ weights / weights.sum())
        parts: dict[str, Any] = {**terms}
        return Score(measure=self.kind(), value=value, parts=parts)

    def _moves(self, original: Table, released: Table, keys: tuple[str, ...]) -> float:
        """IL1s over records and columns; removed and lost cells as moves by one deviation."""
        roles = original.roles
        named = self.numbers or tuple(
            name
            for name in (*roles.sensitive, *roles.insensitive)
            if name not in keys and is_number(original.frame[name].dtype)
        )
        cells = original.height * len(named)
        there = tuple(name for name in named if name in released.columns)
        if not cells:
            return 0.0
        if not there:
            return 1.0
        paired = paired_numbers(original, released, there)
        moved = 0.0
        for place, name in enumerate(paired.columns):
            values = finite_numbers(original.frame[name])
            spread = float(np.nanstd(values, ddof=1)) if np.isfinite(values).sum() > 1 else 0.0
            moves = np.abs(paired.before[:, place] - paired.after[:, place])
            moved += float(np.nansum(moves)) / (np.sqrt(2) * spread) if spread > 0 else 0.0
            moved += float((np.isnan(paired.after) & ~np.isnan(paired.before))[:, place].sum())
        gone = (original.height - released.height) * len(there)
        gone += original.height * (len(named) - len(there))
        return (moved + max(gone, 0)) / cells


def _suppression(original: Table, released: Table, keys: tuple[str, ...]) -> float:
    """Share of the keys' cells that are newly missing."""
    beside = align(original, released).frame
    gone = original.height - released.height
    n_new = 0
    for name in keys:
        if name not in released.columns:
            n_new += original.height - original.frame[name].null_count()
            continue
        blank = silent(released.frame[name]) & beside[name].is_not_null().to_numpy()
        n_new += int(blank.sum()) + max(gone, 0)
    return n_new / max(original.height * len(keys), 1)


def _category_loss(original: Table, released: Table, keys: tuple[str, ...]) -> float:
    """Mean over the keys of the share of levels that are gone."""
    beside = align(original, released).frame
    lost = []
    for name in keys:
        before = original.frame[name].drop_nulls().n_unique()
        after = 0
        if name in released.columns:
            after = _levels(beside[name], released.frame[name])
        lost.append(max(1 - after / before, 0.0) if before else 0.0)
    return float(np.mean(lost))


def _levels(before: pl.Series, after: pl.Series) -> int:
    """Levels that are told apart: values that share a label somewhere are one."""
    shown = pl.DataFrame({"value": as_text(before), "label": as_text(after)}).filter(
        pl.Series(~silent(after)) & before.is_not_null()
    )
    pairs = shown.unique(maintain_order=True)
    values, labels = (pairs[side].rank("dense").to_numpy() - 1 for side in ("value", "label"))
    if not pairs.height:
        return 0
    n_values, n_labels = int(values.max()) + 1, int(labels.max()) + 1
    ones = np.ones(pairs.height)
    size = n_values + n_labels
    met = coo_array((ones, (values.astype(int), n_values + labels.astype(int))), (size, size))
    return int(connected_components(met, directed=False)[0])
