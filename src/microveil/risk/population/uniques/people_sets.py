"""How well sets of columns distinguish people who have several rows."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from microveil.arrays import Longs
from microveil.risk.population.uniques.distinct_rows import DistinctRows


class PeopleCounts(NamedTuple):
    """Counts of one set of columns; a person counts once for each combination they have."""

    n_records: int
    """Combinations of people."""
    n_classes: int
    n_pairs: int
    """Pairs of records of different people."""
    n_alike: int
    """Those of them that are equal."""
    n_unique: int
    """Records whose combination nobody else has."""


def count_people(rows: DistinctRows, columns: tuple[int, ...]) -> PeopleCounts:
    """Count the people of each combination of some of the columns."""
    packed = np.zeros(len(rows.owners), dtype=np.int64)
    for column in columns:
        codes = rows.codes[column].astype(np.int64)
        _, packed = np.unique(packed * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True)
    n_classes = int(packed.max(initial=-1)) + 1
    owned = np.unique(rows.owners.astype(np.int64) * max(n_classes, 1) + packed)
    size = np.bincount(owned % max(n_classes, 1), minlength=n_classes)
    own = np.bincount(owned // max(n_classes, 1))
    n = len(owned)
    return PeopleCounts(
        n_records=n,
        n_classes=n_classes,
        n_pairs=n * (n - 1) // 2 - int((own * (own - 1) // 2).sum()),
        n_alike=int((size * (size - 1) // 2).sum()),
        n_unique=int((size == 1).sum()),
    )


def sets_of(m: int, max_size: int) -> list[tuple[int, ...]]:
    """All sets of up to so many of m columns, smaller ones first."""
    return [one for size in range(1, max_size + 1) for one in combinations(range(m), size)]


def bits_of(columns: tuple[int, ...]) -> int:
    """A set of columns as the bits of one number."""
    return sum(1 << column for column in columns)


def as_arrays(found: list[PeopleCounts]) -> dict[str, Longs]:
    """The counts of several sets, by what they count."""
    table = np.array(found, dtype=np.int64).reshape(-1, len(PeopleCounts._fields))
    return dict(zip(PeopleCounts._fields, table.T, strict=True))
