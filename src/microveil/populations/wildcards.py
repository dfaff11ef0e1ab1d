"""Sums over the classes that a class cannot be told from when a missing key matches anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.tables.codes import Codes, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Longs = NDArray[np.int64]

DENSE = 4
"""Sums are kept in an array of all possible keys while it has so many cells per class at most."""
SMALL = 1 << 16


class _Pattern(NamedTuple):
    """The classes whose missing keys are the same."""

    bits: int
    """Bit c stands for a missing key in column c."""
    rows: Longs


def wildcard_sums(
    keys: pl.DataFrame, amounts: tuple[Floats, Floats], weight: float = 1.0
) -> tuple[Floats, Floats]:
    """Two amounts of each class plus those of all classes it is compatible with.

    Two classes are compatible when no key is present in both and different. The reading is
    sdcMicro's (Templ, Kowarik & Meindl 2015): what only a missing key makes compatible counts
    ``weight``, except that a class with missing keys counts complete ones in full; a class with
    every key missing counts all, but is not counted by complete ones of two keys or more.

    Time grows with classes × pairs of patterns of missing keys.

    >>> keys = pl.DataFrame({"a": ["x", None, "y"]})
    >>> ones = np.array([1.0, 1.0, 3.0])
    >>> wildcard_sums(keys, (ones, ones))[0].tolist()
    [2.0, 5.0, 4.0]
    """
    if not any(column.null_count() for column in keys):
        return amounts
    from microveil.kernels.blanking.matched_sums import add_matched

    codes = [encode(column) for column in keys]
    patterns = _patterns(keys)
    full = (1 << keys.width) - 1
    both = np.column_stack(amounts)
    found = both.copy()
    for union in sorted({one.bits | other.bits for one in patterns for other in patterns}):
        inside = [pattern for pattern in patterns if pattern.bits | union == union]
        places = _places(codes, [c for c in range(keys.width) if not union >> c & 1], inside)
        for one in inside:
            for other in inside:
                if one.bits | other.bits == union and one is not other:
                    share = _share(one.bits, other.bits, full, weight)
                    add_matched(found, both, one.rows, other.rows, places, share)
    return found[:, 0].copy(), found[:, 1].copy()


def _patterns(keys: pl.DataFrame) -> list[_Pattern]:
    bits = np.zeros(keys.height, dtype=np.int64)
    for place, column in enumerate(keys):
        bits |= column.is_null().to_numpy().astype(np.int64) << place
    return [_Pattern(int(one), np.flatnonzero(bits == one)) for one in np.unique(bits)]


def _share(mine: int, theirs: int, full: int, weight: float) -> float:
    """How much a class with the missing keys ``theirs`` counts for one with ``mine``."""
    if mine == full:
        return 1.0
    if mine == 0 and theirs == full and full > 1:
        return 0.0
    return weight if theirs else 1.0


def _places(codes: Sequence[Codes], columns: list[int], patterns: list[_Pattern]) -> Longs:
    """A small number for each row of the patterns, equal where the columns are equal."""
    rows = np.concatenate([pattern.rows for pattern in patterns])
    packed, radix = np.zeros(len(rows), dtype=np.int64), 1
    limit = max(DENSE * len(rows), SMALL)
    for column in columns:
        packed = packed * codes[column].radix + codes[column].values[rows]
        radix *= codes[column].radix
        if radix > limit:
            _, packed = np.unique(packed, return_inverse=True)
            radix = int(packed.max()) + 1
    places = np.empty(len(codes[0].values), dtype=np.int64)
    places[rows] = packed
    return places
