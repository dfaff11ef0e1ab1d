"""How well sets of columns distinguish people who have several rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.risk.population.uniques.distinct_rows import DistinctRows

SPREAD = 16
"""Combinations are numbered by counting up to this many possible ones per row, else by sorting."""


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
    numbered = np.zeros(len(rows.owners), dtype=np.int64)
    for column in columns:
        numbered = _refine(numbered, rows.codes[column])
    return _count_owners(rows, numbered)


def count_people_by_sets(
    rows: DistinctRows, sets: Iterable[tuple[int, ...]]
) -> Iterator[PeopleCounts]:
    """The same for several sets; what a set begins with is not numbered again."""
    held: list[tuple[int, Longs]] = []
    nothing = np.zeros(len(rows.owners), dtype=np.int64)
    for columns in sets:
        kept = 0
        while kept < min(len(held), len(columns)) and held[kept][0] == columns[kept]:
            kept += 1
        del held[kept:]
        for column in columns[kept:]:
            before = held[-1][1] if held else nothing
            held.append((column, _refine(before, rows.codes[column])))
        yield _count_owners(rows, held[-1][1] if held else nothing)


def _refine(numbered: Longs, codes: Ints) -> Longs:
    """Number combinations with one column more, from 0 without gaps."""
    radix = int(codes.max(initial=0)) + 1
    packed = numbered * radix + codes
    top = (int(numbered.max(initial=0)) + 1) * radix
    if top > SPREAD * len(packed):
        return np.asarray(np.unique(packed, return_inverse=True)[1], dtype=np.int64)
    occurs = np.zeros(top, dtype=np.bool_)
    occurs[packed] = True
    return np.asarray((np.cumsum(occurs) - 1)[packed], dtype=np.int64)


def _count_owners(rows: DistinctRows, numbered: Longs) -> PeopleCounts:
    """Count the people of numbered combinations."""
    n_classes = int(numbered.max(initial=-1)) + 1
    owned = np.sort(rows.owners.astype(np.int64) * max(n_classes, 1) + numbered)
    owned = owned[np.flatnonzero(np.diff(owned, prepend=-1))]
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
