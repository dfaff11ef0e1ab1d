"""How many synthetic records equal a real one, and how many would by chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Flags
from microveil.risk import ReplicatedUniques
from microveil.tables import Table


def equal_records(
    original: pl.DataFrame, drawn: pl.DataFrame, columns: Sequence[str]
) -> dict[str, Any]:
    """Synthetic records that equal a real one in all columns, and how many would by chance.

    By chance means: a new person from the same population equals somebody in the table. The
    probability of that is about the share of records that are not unique (Good 1953).
    """
    if not columns or not drawn.height or not original.height:
        return {}
    counts = original.group_by(columns).len("__n")
    # Some generators draw floats for a column of integers: 30.0 equals 30.
    here = drawn.select(columns)
    there = counts.select(columns).cast(here.schema, strict=False)
    n_equal = here.join(there, on=columns, how="semi", nulls_equal=True).height
    n_unique = counts.filter(pl.col("__n") == 1).height
    return {
        "n_equal_to_real": n_equal,
        "equal_share": n_equal / drawn.height,
        "equal_share_by_chance": 1 - n_unique / original.height,
    }


def replicated_uniques(original: Table, drawn: Table, columns: Sequence[str]) -> Flags:
    """Synthetic records that are unique and equal a unique real one, by keys or by all columns."""
    keys = [name for name in original.roles.quasi_identifiers if name in drawn.columns]
    # An earlier step may have removed rows: these two tables have the same ones.
    score = ReplicatedUniques(columns=tuple(keys or columns), worst_columns=False).measure(
        original.rebase(None), drawn.rebase(None)
    )
    if score.records is None:
        return np.zeros(drawn.height, dtype=np.bool_)
    return score.records > 0
