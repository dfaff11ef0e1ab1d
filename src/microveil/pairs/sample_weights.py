"""Sampling weights of original and release, if the roles name them."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import ColumnError
from microveil.tables import Table


def sample_weights(original: Table, released: Table) -> tuple[Floats | None, Floats | None]:
    """The weight of each record in both tables; None if the roles name none.

    In a release without the weight column each record counts once.
    """
    name = original.roles.weight
    if name is None:
        return None, None
    return _weights(original, name), _weights(released, name) if name in released.columns else None


def _weights(table: Table, name: str) -> Floats:
    column = table.frame[name].cast(pl.Float64, strict=False)
    weights = column.fill_null(float("nan")).to_numpy()
    wrong = int((~np.isfinite(weights) | (weights < 0)).sum())
    if wrong:
        raise ColumnError(
            "Column '{name}' holds {wrong} weights that are missing, infinite or negative.",
            name=name,
            wrong=wrong,
        )
    return weights
