"""Precision: how far up its hierarchy each cell was generalised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.errors import InputError
from microveil.hierarchies import AnyHierarchy, Hierarchy
from microveil.measures.base import UtilityMeasure
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.roles import Columns
from microveil.tables.values import Distinct, as_text, plain
from microveil.texts import Message
from microveil.utility.parts.key_columns import KeyColumn, key_columns, n_removed, silent
from microveil.utility.parts.shares import share


class Precision(UtilityMeasure):
    """Mean level of the released cells in their hierarchies, as a share of the height.

    0 for unchanged values, 1 for ``*``, missing cells, removed records and dropped keys (Sweeney
    2002, whose Prec is 1 minus the score, as is ARX's generalisation intensity). A column without a
    hierarchy may hold only its own values and ``*``. A label shared by several levels counts as the
    finest of them.

    >>> tree = {"tree": {"young": ["31", "38"], "old": ["52", "57"]}}
    >>> before, after = {"age": ["31", "38", "52"]}, {"age": ["young", "*", "52"]}
    >>> Precision(hierarchies={"age": tree}).measure(before, after).value
    0.5
    """

    question: ClassVar[str] = "How coarse did values become?"
    title: ClassVar[str] = "Levels climbed"
    name: Literal["precision"] = "precision"
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    needs_alignment: ClassVar[bool] = True
    looks_labels_up: ClassVar[bool] = True
    columns: Columns = ()
    """Columns to use; by default the quasi-identifiers, or all if there are none."""
    hierarchies: Mapping[str, AnyHierarchy] = Field(default_factory=dict)
    """How values generalise, by column."""

    def score(self, original: Table, released: Table) -> Score:
        """Find the level of each cell."""
        keys = key_columns(original, released, self.columns, self.hierarchies, paired=True)
        removed = n_removed(original, released)
        columns = {key.name: _mean_level(key, removed) for key in keys}
        value = float(np.mean(list(columns.values()))) if columns else 0.0
        return Score(measure=self.kind(), value=value, parts={"columns": columns})


def _mean_level(key: KeyColumn, n_removed: int) -> float:
    if key.released is None:
        return 1.0
    assert key.paired is not None  # noqa: S101  the measure pairs rows
    blank = silent(key.released) & ~key.paired.is_null().to_numpy()
    shown = pl.Series(~silent(key.released))
    pairs = _distinct_pairs(key.paired.filter(shown), key.released.filter(shown))
    levels = _levels(pairs, key.hierarchy)
    unknown = int(pairs["len"].filter(pl.Series(levels < 0)).sum())
    if unknown:
        hint = (
            Message("utility.give_hierarchy", "Give its hierarchy")
            if key.hierarchy is None
            else Message("utility.check_hierarchy", "Check its hierarchy")
        )
        raise InputError(
            Message(
                "utility.precision_released_cells_column",
                "'precision': {n} released cells of column '{column}' are no level of their "
                "value. {hint} in `hierarchies`, or use 'generalization_loss'.",
                n=unknown,
                column=key.name,
                hint=hint,
            )
        )
    total = float(levels @ pairs["len"].to_numpy()) + float(blank.sum()) + n_removed
    return share(total, len(key.released) + n_removed)


def _distinct_pairs(before: pl.Series, after: pl.Series) -> pl.DataFrame:
    """Each pair of value and label once, as text, with its number of records."""
    values, labels = Distinct.of(plain(before)), Distinct.of(plain(after))
    numbered = pl.DataFrame({"value": values.of_record, "label": labels.of_record})
    counted = numbered.group_by("value", "label").len()
    texts = (as_text(side.values).extend_constant(None, 1) for side in (values, labels))
    value, label = texts
    return counted.select(
        value.gather(counted["value"]).alias("value"),
        label.gather(counted["label"]).alias("label"),
        pl.col("len").cast(pl.Int64),
    )


def _levels(
    pairs: pl.DataFrame, hierarchy: Hierarchy | None
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Level of each pair as a share of the height; −1 if it has none."""
    same = pairs["value"].eq_missing(pairs["label"]).to_numpy()
    levels = np.where(same, 0.0, -1.0)
    if hierarchy is None or pairs.is_empty():
        return levels
    for level in range(1, hierarchy.n_levels):
        there = hierarchy.generalize(pairs["value"], level, unlisted="star")
        fits = there.eq_missing(pairs["label"]).to_numpy() & (levels < 0)
        levels[fits] = level / hierarchy.height
    return levels
