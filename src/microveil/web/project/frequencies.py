"""Frequencies: columns counted once, so that another choice of keys is answered at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.risk import acceptable_k
from microveil.tables.codes import encode
from microveil.tables.names import free_name

Longs = NDArray[np.int64]
Integers = NDArray[Any]
"""Whole numbers from 0, of the narrowest type that holds them."""

DENSE = 8_000_000
"""Combinations that are counted in an array with a place for each."""
LARGEST = 2**62
SHOWN_SIZES = (1, 2, 3, 5, 10, 20, 50, 100)
"""Upper ends of the groups of class sizes that are drawn."""


@dataclass(frozen=True)
class KeyRisk:
    """What some keys single out: missing is a value of its own."""

    keys: tuple[str, ...]
    n_records: int
    n_classes: int
    k: int
    n_unique: int
    average_risk: float
    acceptable_k: int
    n_below: int
    sizes: tuple[tuple[str, int], ...]
    """Records by the size of their class."""


class Frequencies:
    """The codes of each column of a frame, worked out when a column is first a key."""

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self._codes: dict[str, tuple[Integers, int]] = {}

    def of(self, keys: Sequence[str]) -> KeyRisk:
        """Count the classes of these keys."""
        sizes = self.class_sizes(keys)
        n = self.frame.height
        enough = acceptable_k(n)
        return KeyRisk(
            keys=tuple(keys),
            n_records=n,
            n_classes=len(sizes),
            k=int(sizes.min()) if len(sizes) else 0,
            n_unique=int((sizes == 1).sum()),
            average_risk=len(sizes) / n if n else 0.0,
            acceptable_k=enough,
            n_below=int(sizes[sizes < enough].sum()),
            sizes=_grouped(sizes),
        )

    def class_sizes(self, keys: Sequence[str]) -> Longs:
        """The number of records of each class, in no set order."""
        if not self.frame.height:
            return np.zeros(0, dtype=np.int64)
        codes, radix = np.zeros(self.frame.height, dtype=np.int64), 1
        for key in keys:
            more, n_values = self.codes(key)
            if radix * n_values > LARGEST:
                codes, radix = _packed(codes)
            codes = codes * n_values + more
            radix *= n_values
        if radix <= DENSE:
            counts: Longs = np.bincount(codes, minlength=1).astype(np.int64)
            return counts[counts > 0]
        return _run_lengths(np.sort(codes))

    def codes(self, column: str) -> tuple[Integers, int]:
        """A number for each record's value, and how many numbers there are."""
        if column not in self._codes:
            series = self.frame[column]
            found = encode(series.fill_nan(None) if series.dtype.is_float() else series)
            # As narrow as they may be: a session keeps the codes of all its columns.
            narrow = np.min_scalar_type(max(found.radix - 1, 0))
            self._codes[column] = (found.values.astype(narrow), found.radix)
        return self._codes[column]

    def warm(self) -> None:
        """Work out the codes of every column that can be a key, before anybody asks."""
        for name, dtype in self.frame.schema.items():
            if not dtype.is_nested():
                self.codes(name)


def _packed(codes: Longs) -> tuple[Longs, int]:
    """The same classes under small numbers."""
    distinct, places = np.unique(codes, return_inverse=True)
    return places.astype(np.int64), len(distinct)


def _run_lengths(ordered: Longs) -> Longs:
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths: Longs = np.diff(np.r_[starts, len(ordered)])
    return lengths


def _grouped(sizes: Longs) -> tuple[tuple[str, int], ...]:
    """Records in classes of 1, 2, 3, 4–5 … members."""
    groups: list[tuple[str, int]] = []
    low = 1
    for high in SHOWN_SIZES:
        inside = sizes[(sizes >= low) & (sizes <= high)]
        groups.append((str(high) if low == high else f"{low}–{high}", int(inside.sum())))
        low = high + 1
    groups.append((f"> {SHOWN_SIZES[-1]}", int(sizes[sizes >= low].sum())))
    return tuple(groups)


def worst_records(
    frame: pl.DataFrame, keys: Sequence[str], most: int = 20
) -> list[tuple[int, tuple[Any, ...]]]:
    """Size and keys of the smallest classes, smallest first: confidential."""
    size = free_name("size", keys)
    counted = frame.select(keys).group_by(list(keys)).len(size).bottom_k(most, by=size)
    rows = counted.sort(size, *keys).select(size, *keys).rows()
    return [(int(row[0]), tuple(row[1:])) for row in rows]
