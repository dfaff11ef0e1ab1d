"""Keys as small integers: one code per distinct value, several columns packed into one number."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import polars as pl

from microveil.cores import blocks_of, map_on_cores, n_threads
from microveil.tables.door import refuse_nested
from microveil.texts import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PACKED_LIMIT = 2**62
"""Largest product of radices that safely fits int64."""


ON_CORES_FROM = 500_000
"""Records from which columns are coded and packed by several threads."""
BLOCK = 1 << 20
"""Records that a thread packs at a time…"""
CACHED = 1 << 14
"""…and those whose numbers stay in its cache."""
TABLE = 8
"""Cells of a table of all codes for each record, up to which they are numbered without sorting."""


class Codes(NamedTuple):
    """Whole numbers below ``radix``, one per record; equal for equal values."""

    values: NDArray[np.int64]
    radix: int


def encode(series: pl.Series) -> Codes:
    """Codes of one column; missing is a value of its own and takes the last code.

    >>> encode(pl.Series([30, None, 40, 30])).values.tolist()
    [0, 11, 10, 0]
    """
    whole = _as_integers(series)
    if whole.null_count() == len(whole):
        return Codes(np.zeros(len(whole), dtype=np.int64), 1)
    low, high = _whole(whole.min()), _whole(whole.max())
    spread = high - low + 1
    if spread > max(PACKED_LIMIT >> 31, 4 * len(whole)):
        # Codes this sparse would leave no room for other columns in the packed number.
        whole = whole.rank("dense")
        low, spread = 1, _whole(whole.max())
    shifted = whole.cast(pl.Int64)
    if low != 0:
        shifted = shifted - low
    has_missing = whole.null_count() > 0
    codes = Codes(
        (shifted.fill_null(spread) if has_missing else shifted).to_numpy(), spread + has_missing
    )
    return _closed_up(codes) if isinstance(series.dtype, pl.Categorical) else codes


def _closed_up(codes: Codes) -> Codes:
    """The same codes without gaps: columns that share a dictionary leave large ones."""
    occurs = np.zeros(codes.radix, dtype=np.bool_)
    occurs[codes.values] = True
    n_occurring = int(occurs.sum())
    if n_occurring == codes.radix:
        return codes
    return Codes((np.cumsum(occurs) - 1)[codes.values], n_occurring)


def _whole(number: object) -> int:
    return int(cast("int", number))


def _as_integers(series: pl.Series) -> pl.Series:
    """Integers that are equal for equal values, and null for null."""
    dtype = series.dtype
    if dtype == pl.Binary:
        series = series.bin.encode("hex")
    if series.dtype == pl.String:
        return series.cast(_own_dictionary()).to_physical()
    if isinstance(dtype, pl.Categorical | pl.Enum) or dtype.is_temporal():
        return series.to_physical()
    if dtype == pl.Boolean:
        return series.cast(pl.UInt8)
    if dtype.is_integer() and dtype not in (pl.UInt64, pl.Int128):
        return series
    return series.rank("dense")


def _own_dictionary() -> pl.Categorical:
    """A dictionary for one column: in a shared one its codes would not be small and dense."""
    return pl.Categorical(pl.Categories.random())


def pack(frame: pl.DataFrame, columns: Sequence[str]) -> Codes:
    """One number per record, equal exactly if all columns are equal (mixed radix).

    Time and memory grow linearly: a pass per column, eight bytes per record. If the product of the
    radices would overflow, the numbers packed so far are renumbered first.
    """
    refuse_nested(frame, list(columns), phrase("Grouping by"))
    # Text is most of the work, so its dictionaries are built in parallel on all cores.
    numbers = frame.select(
        pl.col(name).cast(_own_dictionary()).to_physical()
        if frame.schema[name] == pl.String
        else pl.col(name)
        for name in columns
    )
    several = frame.height >= ON_CORES_FROM
    spread = map_on_cores if several else map
    coded = list(spread(encode, [numbers[column] for column in columns]))
    if several and coded and prod(codes.radix for codes in coded) <= PACKED_LIMIT:
        return _pack_blocks(coded)
    packed = Codes(np.zeros(frame.height, dtype=np.int64), 1)
    for codes in coded:
        packed = combine_codes(packed, codes)
    return packed


def _pack_blocks(coded: Sequence[Codes]) -> Codes:
    """The same by blocks of records, which stay in a core's cache from column to column."""
    packed = np.empty(len(coded[0].values), dtype=np.int64)

    def fill(block: tuple[int, int]) -> None:
        for start, stop in blocks_of(block[1] - block[0], CACHED):
            at = slice(block[0] + start, block[0] + stop)
            part = packed[at]
            part[:] = coded[0].values[at]
            for codes in coded[1:]:
                np.multiply(part, codes.radix, out=part)
                np.add(part, codes.values[at], out=part)

    map_on_cores(fill, blocks_of(len(packed), BLOCK))
    return Codes(packed, prod(codes.radix for codes in coded))


def count_codes(codes: Codes) -> NDArray[np.int64]:
    """How often each code occurs.

    >>> count_codes(Codes(np.array([0, 2, 0]), 4)).tolist()
    [2, 0, 1, 0]
    """
    n = len(codes.values)
    n_parts = min(n_threads(), n // max(BLOCK, 4 * codes.radix))
    if n_parts < 2:  # noqa: PLR2004  nothing to divide
        return np.bincount(codes.values, minlength=codes.radix)
    size = -(-n // n_parts)

    def count(block: tuple[int, int]) -> NDArray[np.int64]:
        return np.bincount(codes.values[slice(*block)], minlength=codes.radix)

    found: NDArray[np.int64] = np.sum(map_on_cores(count, blocks_of(n, size)), axis=0)
    return found


class Numbered(NamedTuple):
    """The codes that occur, numbered in their order."""

    codes: NDArray[np.int64]
    first: NDArray[np.int64]
    """The first record of each."""
    of_record: NDArray[np.int64]
    """Number of each record's code."""
    counts: NDArray[np.int64]


def number_codes(codes: Codes) -> Numbered:
    """Number the codes that occur: by a table of all of them if it is small, otherwise by sorting.

    >>> number_codes(Codes(np.array([7, 3, 7]), 8)).of_record.tolist()
    [1, 0, 1]
    """
    values, radix = codes
    if radix > max(TABLE * len(values), 1):
        return Numbered(
            *np.unique(values, return_index=True, return_inverse=True, return_counts=True)
        )
    there, counts = occurring(codes)
    place = np.empty(radix, dtype=np.int64)
    # Of equal indices the last assignment wins, so go backwards.
    place[values[::-1]] = np.arange(len(values) - 1, -1, -1)
    first = place[there]
    place[there] = np.arange(len(there))
    return Numbered(there, first, place[values], counts)


def occurring(codes: Codes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The codes that occur, in their order, and how often each does.

    >>> [found.tolist() for found in occurring(Codes(np.array([7, 3, 7]), 8))]
    [[3, 7], [1, 2]]
    """
    if codes.radix > max(TABLE * len(codes.values), 1):
        return np.unique(codes.values, return_counts=True)
    every = count_codes(codes)
    there = np.flatnonzero(every)
    return there, every[there]


def combine_codes(first: Codes, second: Codes) -> Codes:
    """One number for the two codes of each record, equal exactly if both are.

    >>> combine_codes(Codes(np.array([0, 1, 1]), 2), Codes(np.array([2, 0, 2]), 3)).values.tolist()
    [2, 3, 5]
    """
    if first.radix * second.radix > PACKED_LIMIT:
        _, places = np.unique(first.values, return_inverse=True)
        first = Codes(places, int(places.max()) + 1)
    if first.radix == 1:
        return second
    packed = first.values * second.radix
    packed += second.values
    return Codes(packed, first.radix * second.radix)
