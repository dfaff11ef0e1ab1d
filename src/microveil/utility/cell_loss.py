"""Cell loss: what is lost of each cell, whether it became coarse, wrong or missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.arrays import Flags, Floats, Longs
from microveil.labels.covering import Covering
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.kinds import finite_numbers, is_number
from microveil.tables.values import rows_of
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
    if is_number(before.dtype) and is_number(after.dtype) and not key.coded:
        paired = key.paired
        cells = _moves_by_chance(before, after) if paired is None else _moves(before, paired, after)
    else:
        cells = _labels_by_chance(key) if key.paired is None else _labels(key, key.paired)
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
    cells = _open(covering)
    places = rows_of(paired.alias("value"), covering.values).astype(np.int64)
    cells = np.where(_misses(covering, places), 1.0, cells)
    missing = paired.is_null().to_numpy()
    blank = key.released is None or silent(key.released)
    return np.where(missing, np.where(blank, 0.0, 1.0), np.where(blank, 1.0, cells))


def _open(covering: Covering) -> Floats:
    """What the label of each record leaves open, if it covers the right value."""
    most = max(covering.n_values - 1, 1)
    sizes = np.append(np.maximum(covering.sizes, 1), covering.n_values)
    return np.asarray((sizes[covering.labels.of_record] - 1) / most, dtype=np.float64)


def _misses(covering: Covering, places: Longs) -> Flags:
    """Where no run of values that a label covers holds the value of the record."""
    width = covering.n_values + 1
    asked = covering.labels.of_record.astype(np.int64)
    starts = covering.label * width + covering.low
    run = np.searchsorted(starts, asked * width + places, side="right") - 1
    label, high = np.append(covering.label, -1)[run], np.append(covering.high, 0)[run]
    return np.asarray((places >= 0) & ((label != asked) | (places >= high)))


def _moves_by_chance(before: pl.Series, after: pl.Series) -> Floats:
    """Expected move of each released number where it is not known whose it is."""
    old = np.sort(finite_numbers(before.drop_nulls()))
    new = finite_numbers(after)
    shown = np.where(np.isnan(new), old.mean() if len(old) else 0.0, new)
    place = np.searchsorted(old, shown)
    below = np.concatenate([[0.0], np.cumsum(old)])
    n = max(len(old), 1)
    far = shown * (2 * place - n) + below[-1] - 2 * below[place]
    return np.where(silent(after), 1.0, np.minimum(far / n / (_mean_distance(before) or 1.0), 1.0))


def _labels_by_chance(key: KeyColumn) -> Floats:
    """Expected loss of each label where it is not known whose it is.

    It covers the value of a record drawn at random as often as values below it occur.
    """
    covering = key.covering(strangers=True)
    places = rows_of(key.original.alias("value"), covering.values)
    counts = np.bincount(places[places >= 0].astype(np.int64), minlength=covering.n_values)
    total = np.append(0, np.cumsum(counts))
    n_labels = len(covering.labels.values)
    runs = (total[covering.high] - total[covering.low]) / max(int(total[-1]), 1)
    met = np.append(np.bincount(covering.label, runs, minlength=n_labels), 0.0)
    of_record = covering.labels.of_record
    cells = 1 - met[of_record] * (1 - _open(covering))
    return np.where(key.released is None or silent(key.released), 1.0, cells)
