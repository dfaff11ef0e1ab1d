"""Sampling weights: as numbers, and recalibrated after records were removed."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import ColumnError
from microveil.tables import Classes, Table


def usable_weights(column: pl.Series) -> Floats:
    """A weight column as floats; an error unless it is finite, non-negative and complete.

    >>> usable_weights(pl.Series("w", [1, 2])).tolist()
    [1.0, 2.0]
    """
    if not column.dtype.is_numeric() or column.null_count():
        raise ColumnError(
            "Weight column '{name}' must be numeric without missing cells.", name=column.name
        )
    weights = column.cast(pl.Float64).to_numpy()
    n_bad = int((~(np.isfinite(weights) & (weights >= 0))).sum())
    if n_bad:
        raise ColumnError(
            "{n_bad} cells of weight column '{name}' are negative, infinite or NaN. Correct "
            "them, or leave out the rows.",
            n_bad=n_bad,
            name=column.name,
        )
    return np.asarray(weights)


def strata_of(table: Table) -> Longs:
    """Number of each record's stratum; 0 for all if the roles name none."""
    if not table.roles.strata:
        return np.zeros(table.height, dtype=np.int64)
    return Classes.of(table, table.roles.strata).record_class.astype(np.int64)


def recalibrate(before: Table, after: Table, kept: Flags) -> tuple[Table, int]:
    """The kept records with weights that add up to the previous total in each stratum.

    A stratum that has lost all its records cannot be compensated: the others are raised in
    proportion to preserve the overall total. The number of lost strata is reported.
    """
    name = before.roles.weight
    if name is None:
        return after, 0
    old, new = (usable_weights(side.frame[name]) for side in (before, after))
    stratum = strata_of(before)
    wanted = np.bincount(stratum, old)
    found = np.bincount(stratum[kept], new, minlength=len(wanted))
    factors = np.divide(wanted, found, out=np.zeros_like(wanted), where=found > 0)
    lost = (wanted > 0) & (found == 0)
    reached = float(wanted[~lost].sum())
    if reached > 0:
        factors *= float(wanted.sum()) / reached
    weights = pl.Series(name, new * factors[stratum[kept]])
    return after.with_columns([weights]), int(lost.sum())
