"""Noticing: dirt in the columns that a recipe releases, where the recipe does not see to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import polars as pl

from microveil.app.inspection.column import Column
from microveil.app.inspection.dirt import dirt_in
from microveil.app.inspection.limits import SAMPLE
from microveil.files import Labels
from microveil.methods import SetMissing
from microveil.recipes import Recipe
from microveil.release.cautions import Caution
from microveil.tables import Table

MOST_ROWS = 50_000
"""Rows that are looked at, from all over a longer table."""


def notice_dirt(
    recipe: Recipe,
    original: Table,
    released: Collection[str],
    labels: Labels,
    *,
    n_rows: int | None = None,
) -> tuple[Caution, ...]:
    """A caution for codes of missing values, impossible values and mixed units in what leaves.

    Columns are looked at as ``set_missing`` steps leave them. Long tables are sampled; of a table
    that is a sample itself, ``n_rows`` tells the rows behind it.
    """
    weight = original.roles.weight
    names = [name for name in original.columns if name in released or name == weight]
    rows = original.frame.select(names).gather_every(max(1, original.height // MOST_ROWS))
    for step in recipe.steps:
        if not isinstance(step, SetMissing):
            continue
        if here := tuple(name for name in step.columns if name in names):
            rows = step.model_copy(update={"columns": here}).protect(rows)
    behind = original.height if n_rows is None else n_rows
    return tuple(_cautions(rows, labels, weight, behind / max(rows.height, 1)))


def _cautions(
    rows: pl.DataFrame, labels: Labels, weight: str | None, times: float
) -> Iterator[Caution]:
    for name in rows.columns:
        known = labels.columns.get(name, ""), labels.values.get(name, {})
        for found in dirt_in(
            Column(rows[name], SAMPLE, *known), is_weight=name == weight, times=times
        ):
            details = {} if found.step is None else {"step": found.step.to_dict()}
            yield Caution(found.topic, found.text, found.columns, details)
