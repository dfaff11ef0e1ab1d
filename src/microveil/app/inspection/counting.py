"""How identifying columns are: exact counts, one grouping per column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.app.inspection.result import KeySet
from microveil.tables import Classes, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True)
class Counts:
    """Summary of how often the values of one or more columns occur."""

    n_records: int
    n_missing: int
    n_distinct: int
    """Distinct values, missing not counted."""
    n_classes: int
    """Distinct values, missing counted as one."""
    n_unique: int
    n_pairs_alike: int
    """Pairs of records with the same value."""

    @property
    def missing_share(self) -> float:
        """Share of records without a value."""
        return _share(self.n_missing, self.n_records)

    @property
    def uniqueness(self) -> float:
        """Share of records whose value is unique."""
        return _share(self.n_unique, self.n_records)

    @property
    def distinction(self) -> float:
        """Distinct values per record (α of Motwani & Xu 2007)."""
        return _share(self.n_classes, self.n_records)

    @property
    def separation(self) -> float:
        """Share of record pairs that differ (β of Motwani & Xu 2007); 0 below two records."""
        pairs = self.n_records * (self.n_records - 1) // 2
        return _share(pairs - self.n_pairs_alike, pairs)

    @property
    def filled_distinction(self) -> float:
        """Distinct values per record that has one."""
        return _share(self.n_distinct, self.n_records - self.n_missing)

    @property
    def constant(self) -> bool:
        """Whether at most one value occurs, missing counted as one."""
        return self.n_classes <= 1


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def column_counts(series: pl.Series) -> Counts:
    """Counts of one column; for a nested one only missing cells are known.

    >>> column_counts(pl.Series(["a", "a", "b", None])).uniqueness
    0.5
    """
    n_missing = series.null_count()
    if n_missing == len(series):
        return _counts(np.array([n_missing] if n_missing else [], dtype=np.int64), n_missing)
    if series.dtype.is_nested() or series.dtype == pl.Object:
        return Counts(len(series), n_missing, 0, 0, 0, 0)
    # Polars' grouping beats packed keys on one column: no dictionary has to be built first.
    grouped = series.alias("value").to_frame().lazy().group_by("value").agg(pl.len())
    return _counts(grouped.select("len").collect().to_series().to_numpy(), n_missing)


def _counts(sizes: NDArray[np.integer], n_missing: int) -> Counts:
    sizes = sizes.astype(np.int64)
    return Counts(
        n_records=int(sizes.sum()),
        n_missing=n_missing,
        n_distinct=len(sizes) - (n_missing > 0),
        n_classes=len(sizes),
        n_unique=int((sizes == 1).sum()),
        n_pairs_alike=int((sizes * (sizes - 1) // 2).sum()),
    )


def joint_counts(frame: pl.DataFrame, columns: Sequence[str]) -> Counts:
    """Counts of several columns together."""
    return _counts(Classes.of(Table(frame), columns).counts, 0)


def key_set(columns: Sequence[str], counts: Counts) -> KeySet:
    """Counts in the form for display."""
    return KeySet(
        columns=tuple(columns),
        n_distinct=counts.n_classes,
        n_unique=counts.n_unique,
        uniqueness=counts.uniqueness,
        distinction=counts.distinction,
        separation=counts.separation,
    )
