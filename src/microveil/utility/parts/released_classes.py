"""Classes of a release and of its original, with suppressed records separate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Longs
from microveil.errors import InputError
from microveil.tables import Classes, Table
from microveil.tables.roles import check_columns
from microveil.utility.parts.key_columns import silent


class ReleasedClasses(NamedTuple):
    """Class sizes before and after."""

    n_records: int
    """Records of the original, or of the release if it has more."""
    before: Longs
    """Sizes of the original's classes."""
    after: Longs
    """Sizes of the release's classes, without suppressed records."""
    n_suppressed: int
    """Records with no informative key, or missing from the release."""


def released_classes(
    original: Table, released: Table, columns: tuple[str, ...], measure: str
) -> ReleasedClasses:
    """Count the classes by the named columns, or by the quasi-identifiers.

    A key missing from the release distinguishes no records.
    """
    keys = columns or original.roles.quasi_identifiers
    if not keys:
        raise InputError(
            "'{measure}' needs quasi-identifiers: give roles, or name the keys in `columns`.",
            measure=measure,
        )
    check_columns(keys, original.columns)
    there = [name for name in keys if name in set(released.columns)]
    silences = {name: silent(released.frame[name]) for name in there}
    frame = released.frame.select(
        pl.when(~pl.Series(silences[name])).then(pl.col(name)).alias(name)
        if silences[name].sum() > released.frame[name].null_count()
        else pl.col(name)
        for name in there
    )
    all_silent = np.logical_and.reduce([*silences.values(), np.ones(released.height, np.bool_)])
    # A record whose keys were all missing before was not suppressed; assume as many as before.
    empty = Table(original.frame.select(keys)).frame.select(pl.all_horizontal(pl.all().is_null()))
    n_empty = int(empty.to_series().sum()) if original.height else 0
    suppressed = all_silent if there and n_empty < all_silent.sum() else np.zeros_like(all_silent)
    kept = frame.filter(~suppressed) if suppressed.any() else frame
    sizes = Classes.of(Table(kept), there).sizes if there else np.array([released.height])
    return ReleasedClasses(
        max(original.height, released.height),
        Classes.of(Table(original.frame.select(keys)), keys).sizes,
        sizes[sizes > 0],
        int(suppressed.sum()) + max(original.height - released.height, 0),
    )
