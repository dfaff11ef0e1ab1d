"""Cell loss: what is lost of each cell, whether it became coarse, wrong or missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Floats, Longs
from microveil.labels.covering import Covering
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import finite_numbers, is_number
from microveil.tables.values import as_text, rows_of
from microveil.utility.parts.covering_measure import CoveringMeasure
from microveil.utility.parts.key_columns import KeyColumn, n_removed, silent


class CellLoss(CoveringMeasure):
    """Mean loss of a cell, whether it became coarse, wrong or missing: 0 to 1.

    A label that covers c of a column's D values, the right one among them, loses (c − 1)/(D − 1),
    as in :class:`~microveil.utility.generalization_loss.GeneralizationLoss`. A number that moved
    loses |x − x'| over the mean distance of two records' numbers, at most 1. A wrong category, a
    missing cell, a removed record and a dropped column lose 1. Where rows cannot be paired, as in
    synthetic data, a cell counts as if another record's had been put in its place. All methods are
    thus on one scale, by which recipes can be compared. ``parts`` has each column; ``weights`` say
    how much each counts in the mean.

    >>> before = {"age": [20, 30, 40, 50], "sex": ["f", "f", "m", "m"]}
    >>> after = {"age": [20, 30, 40, 50], "sex": ["f", "m", "m", None]}
    >>> CellLoss().measure(before, after).parts["columns"]
    {'age': 0.0, 'sex': 0.5}
    """

    question: ClassVar[str] = "How much is as it was?"
    title: ClassVar[str] = "Loss of a cell"
    plain: ClassVar[str] = "What is lost of a cell on average: it became coarse, wrong or missing."
    by_default: ClassVar[bool] = False
    name: Literal["cell_loss"] = "cell_loss"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    weights: Mapping[str, Annotated[float, Field(ge=0)]] = Field(default_factory=dict)
    """How much each column counts; 1 by default."""

    def score_covering(self, original: Table, released: Table, keys: list[KeyColumn]) -> Score:
        """Mean over the columns of what their cells lost."""
        removed = n_removed(original, released)
        losses = {key.name: _loss(key, removed) for key in keys}
        counts = np.array([self.weights.get(name, 1.0) for name in losses])
        values = np.array(list(losses.values()))
        value = float(values @ counts / counts.sum()) if counts.sum() > 0 else 0.0
        parts: dict[str, Any] = {"columns": losses, "n_removed": removed}
        return Score(measure=self.kind(), value=value, parts=parts)


def _loss(key: KeyColumn, n_gone: int) -> float:
    """Mean loss of a column's cells; those of removed records are lost."""
    before, after = key.original, key.released
    if before.dtype.is_nested() or before.drop_nulls().n_unique() < 2:  # noqa: PLR2004  it tells nothing apart
        return 0.0
    if after is None:
        return 1.0
    total = len(after) + n_gone
    if not total:
        return 0.0
    if key.paired is None:
        cells = _cells_by_chance(before, after)
    elif is_number(before.dtype) and is_number(after.dtype):
        cells = _moves(before, key.paired, after)
    else:
        cells = _labels(key, key.paired)
    return min(float(cells.sum() + n_gone) / total, 1.0)


def _moves(before: pl.Series, paired: pl.Series, after: pl.Series) -> Floats:
    """How far each number moved, over the mean distance of two; 1 where it is gone."""
    old, new = finite_numbers(paired), finite_numbers(after)
    far = np.abs(old - new) / (_mean_distance(before) or 1.0)
    gone, nothing = np.isnan(new) & ~np.isnan(old), np.isnan(new) & np.isnan(old)
    made_up = np.isnan(old) & ~np.isnan(new)
    return np.where(gone | made_up, 1.0, np.where(nothing, 0.0, np.minimum(far, 1.0)))


def _mean_distance(column: pl.Series) -> float:
    """Mean |x − y| over all pairs of records."""
    values = finite_numbers(column)
    ordered = np.sort(values[~np.isnan(values)])
    n = len(ordered)
    if n < 2:  # noqa: PLR2004  a pair
        return 0.0
    return float(2 * ((2 * np.arange(n) - n + 1) @ ordered) / n / (n - 1))


def _labels(key: KeyColumn, paired: pl.Series) -> Floats:
    """What each label leaves open; 1 where it does not cover the value that was there."""
    covering = key.covering()
    most = max(covering.n_values - 1, 1)
    of_record = covering.labels.of_record
    sizes = np.append(np.maximum(covering.sizes, 1), covering.n_values)
    cells = (sizes[of_record] - 1) / most
    wrong = _misses(covering, rows_of(paired.alias("value"), covering.values).astype(np.int64))
    cells = np.where(wrong, 1.0, cells)
    missing = paired.is_null().to_numpy()
    blank = key.released is None or silent(key.released)
    return np.where(missing, np.where(blank, 0.0, 1.0), np.where(blank, 1.0, cells))


def _misses(covering: Covering, places: Longs) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Where the one run of values that a label covers does not hold the value of the record."""
    n_labels = len(covering.labels.values) + 1
    runs = np.bincount(covering.label, minlength=n_labels)
    low, high = np.zeros(n_labels, dtype=np.int64), np.zeros(n_labels, dtype=np.int64)
    low[covering.label], high[covering.label] = covering.low, covering.high
    of_record = covering.labels.of_record
    outside = (places < low[of_record]) | (places >= high[of_record])
    return np.asarray(outside & (runs[of_record] == 1) & (places >= 0))


def _cells_by_chance(before: pl.Series, after: pl.Series) -> Floats:
    """Expected loss of each released cell where it is not known whose it is."""
    blank = silent(after)
    if is_number(before.dtype) and is_number(after.dtype):
        old = np.sort(finite_numbers(before.drop_nulls()))
        new = finite_numbers(after)
        shown = np.where(np.isnan(new), old.mean() if len(old) else 0.0, new)
        place = np.searchsorted(old, shown)
        below = np.concatenate([[0.0], np.cumsum(old)])
        n = max(len(old), 1)
        far = shown * (2 * place - n) + below[-1] - 2 * below[place]
        return np.where(blank, 1.0, np.minimum(far / n / (_mean_distance(before) or 1.0), 1.0))
    counts = as_text(before).drop_nulls().alias("value").value_counts(name="count")
    shares = counts["count"].to_numpy() / max(len(before) - before.null_count(), 1)
    rows = rows_of(as_text(after).alias("value"), counts["value"])
    met = np.where(rows >= 0, shares[np.maximum(rows, 0)], 0.0)
    return np.where(blank, 1.0, 1 - met)
