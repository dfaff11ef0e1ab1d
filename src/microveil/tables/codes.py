"""Keys as small integers: one code per distinct value, several columns packed into one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import polars as pl

from microveil.tables.door import refuse_nested
from microveil.texts import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PACKED_LIMIT = 2**62
"""Largest product of radices that safely fits int64."""


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
    packed = Codes(np.zeros(frame.height, dtype=np.int64), 1)
    for column in columns:
        packed = combine_codes(packed, encode(numbers[column]))
    return packed


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
