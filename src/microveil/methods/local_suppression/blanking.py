"""Suppress cells of coded keys until enough records share each of several key sets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Flags, Floats, Longs
from microveil.errors import InternalError
from microveil.tables import Missing
from microveil.tables.codes import PACKED_LIMIT, encode

CodeArray = NDArray[np.int32]
"""(records, keys), −1 missing."""

MOST_MASKS = 255
"""Sets of columns considered together: all sets of eight columns, the smaller ones of more."""
MOST_PAIRS = 4_000_000
"""Rare rows × sets of columns of a pass, which bounds memory to some 60 bytes for each pair."""


class SizeRequirement(NamedTuple):
    """Requirement that k records share every combination of some keys."""

    keys: tuple[int, ...]
    k: int


class Distinct(NamedTuple):
    """The distinct rows of a table of codes."""

    codes: CodeArray
    counts: Longs
    row: Longs
    """Distinct row of each record."""


def coded_keys(frame: pl.DataFrame) -> CodeArray:
    """Small codes of each column, −1 for missing cells, 0 for the most frequent value.

    >>> coded_keys(pl.DataFrame({"a": [9000000000, None, 30, 30]})).tolist()
    [[1], [-1], [0], [0]]
    """
    codes = np.full(frame.shape, -1, dtype=np.int32)
    for number, series in enumerate(frame.iter_columns()):
        there = series.is_not_null().to_numpy()
        codes[there, number] = _by_frequency(encode(series).values[there])
    return codes


def _by_frequency(values: Longs) -> Longs:
    """The same codes numbered by frequency, ties in order of appearance.

    The codes of categoricals depend on the order in which the process met them; ties must not.
    """
    radix = int(values.max(initial=-1)) + 1
    if radix > 4 * len(values):
        values = np.unique(values, return_inverse=True)[1]
        radix = int(values.max(initial=-1)) + 1
    first = np.full(radix, len(values), dtype=np.int64)
    # Of equal indices the last assignment wins, so go backwards.
    first[values[::-1]] = np.arange(len(values) - 1, -1, -1)
    rank = np.empty(radix, dtype=np.int64)
    rank[np.lexsort((first, -np.bincount(values, minlength=radix)))] = np.arange(radix)
    return rank[values]


def blank_until_safe(
    codes: CodeArray, requirements: Sequence[SizeRequirement], costs: Floats, missing: Missing
) -> CodeArray:
    """Suppress cells of the codes so that every requirement is met at low cost.

    Suppression for one requirement may violate another, so passes are repeated until nothing
    changes. Cells are only ever suppressed, and a table of missing cells meets every requirement
    for at most as many records as there are, so this terminates.
    """
    one_pass = _wildcard_pass if missing == "wildcard" else _category_pass
    every = list(range(codes.shape[1]))
    if any(list(requirement.keys) != every for requirement in requirements):
        codes = codes.copy()
    # Keys that are safe together are nearly always safe in part, so long sets come first.
    requirements = sorted(requirements, key=lambda requirement: -len(requirement.keys))
    settled = 0
    while settled < len(requirements):
        for requirement in requirements:
            columns = list(requirement.keys)
            part = codes if columns == every else np.ascontiguousarray(codes[:, columns])
            safer = one_pass(part, requirement.k, costs[columns])
            settled = settled + 1 if safer is None else 0
            if safer is not None:
                if np.array_equal(safer, part):
                    raise InternalError("A pass that should suppress cells suppressed none.")
                if columns == every:
                    codes = safer
                else:
                    codes[:, columns] = safer
            del part, safer
            if settled == len(requirements):
                break
    return codes


def distinct_rows(codes: CodeArray) -> Distinct:
    """Number the distinct rows, in the order of their codes."""
    label = np.zeros(len(codes), dtype=np.int64)
    radix = 1
    for column in codes.T:
        levels = int(column.max(initial=-1)) + 2
        if radix * levels > PACKED_LIMIT:
            label = np.unique(label, return_inverse=True)[1]
            radix = int(label.max()) + 1
        label = label * levels + (column + 1)
        radix *= levels
    _, first, row, counts = np.unique(
        label, return_index=True, return_inverse=True, return_counts=True
    )
    return Distinct(codes[first], counts, row)


def masks(costs: Floats, n_rare: int) -> Longs:
    """Sets of columns to suppress together, as bits, cheapest first, including all columns.

    All sets if there are few; otherwise the small ones, and those of the cheapest columns.
    """
    m = len(costs)
    most = min(MOST_MASKS, MOST_PAIRS // max(n_rare, 1))
    sets: list[tuple[int, ...]] = [(column,) for column in range(m)]
    for size in range(2, m + 1):
        if len(sets) + comb(m, size) > most:
            break
        sets += combinations(range(m), size)
    cheap = np.argsort(costs, kind="stable").tolist()
    sets += [tuple(cheap[:size]) for size in range(2, m + 1)]
    bits = {sum(1 << column for column in columns): costs[list(columns)].sum() for columns in sets}
    return np.array(sorted(bits, key=lambda mask: (bits[mask], mask)), dtype=np.int64)


def _next_rare(rows: Distinct, rare: Longs, costs: Floats, k: int, n_pairs: int) -> Longs:
    """The rare rows that one pass makes safe: all, or as many as make so many pairs with masks.

    Rows that differ in cheap columns alone stay together. The first k rows or more, so that they
    can be made safe without records of others.
    """
    most = max(n_pairs // (2 * len(costs) - 1), k)
    if len(rare) <= most:
        return rare
    part = rows.codes[rare]
    order = np.lexsort([part[:, column] for column in np.argsort(costs, kind="stable")])
    return np.sort(rare[order[:most]])


def _wildcard_pass(codes: CodeArray, k: int, costs: Floats) -> CodeArray | None:
    """Codes with cells of rare records suppressed; None if every record is safe."""
    from microveil.kernels.blanking.packed_rows import missing_bits
    from microveil.kernels.blanking.wildcard_cover import Rare, cover
    from microveil.kernels.blanking.wildcard_matches import wildcard_matches

    rows = distinct_rows(codes)
    matches = wildcard_matches(rows.codes, rows.counts, np.arange(len(rows.codes)))
    rare = np.flatnonzero(matches < k)
    if not len(rare):
        return None
    rare = _next_rare(rows, rare, costs, k, MOST_PAIRS)
    bits = masks(costs, len(rare))
    part = rows.codes[rare]
    lacking = k - matches[rare]
    needed = _costs_of_safe_masks(rows, rare, k, bits, costs)
    chosen = cover(Rare(part, missing_bits(part), rows.counts[rare], lacking), bits, needed)
    place = np.full(len(rows.codes), -1, dtype=np.int64)
    place[rare] = np.arange(len(rare))
    return _blanked(codes, place[rows.row], chosen, bits)


def _costs_of_safe_masks(rows: Distinct, rare: Longs, k: int, bits: Longs, costs: Floats) -> Floats:
    """(masks, rows): cost of each minimal mask that makes a row safe; none of its subsets does."""
    from microveil.kernels.blanking.wildcard_matches import wildcard_matches

    safe: dict[int, Flags] = {}
    needed = np.full((len(bits), len(rare)), np.inf)
    present = rows.codes[rare] >= 0
    for number in np.argsort([mask.bit_count() for mask in bits.tolist()], kind="stable"):
        mask = int(bits[number])
        columns = [column for column in range(len(costs)) if mask >> column & 1]
        parts = [safe[part] for column in columns if (part := mask & ~(1 << column)) in safe]
        by_part = np.logical_or.reduce(parts) if parts else np.zeros(len(rare), dtype=np.bool_)
        open_ = np.flatnonzero(~by_part)
        matches = wildcard_matches(rows.codes, rows.counts, rare[open_], mask)
        newly = open_[matches >= k]
        needed[number, newly] = present[newly][:, columns] @ costs[columns]
        by_part[newly] = True
        safe[mask] = by_part
    return needed


def _blanked(codes: CodeArray, place: Longs, chosen: NDArray[np.int32], bits: Longs) -> CodeArray:
    """Suppress the chosen masks, one record each: a row's n-th choice is its n-th record."""
    records = np.flatnonzero(place >= 0)
    records = records[np.argsort(place[records], kind="stable")]
    start = np.searchsorted(place[records], np.arange(len(records) + 1))
    order = np.argsort(chosen[:, 0], kind="stable")
    row = chosen[order, 0].astype(np.int64)
    nth = np.arange(len(row)) - np.searchsorted(row, row)
    record = records[start[row] + nth]
    codes = codes.copy()
    for column in range(codes.shape[1]):
        codes[record[(bits[chosen[order, 1]] >> column & 1) == 1], column] = -1
    return codes


def _category_pass(codes: CodeArray, k: int, costs: Floats) -> CodeArray | None:
    """Codes with records of small classes, and others they need, moved to sparser classes."""
    from microveil.kernels.blanking.category_cover import gather, rows_after

    rows = distinct_rows(codes)
    if rows.counts.min() >= k:
        return None
    # More passes cost little here, and save memory.
    rare = _next_rare(rows, np.flatnonzero(rows.counts < k), costs, k, MOST_PAIRS // 2)
    bits = masks(costs, len(rare))
    moves, made = gather(rows.codes, rows.counts, k, rare, bits, costs)
    blanked: CodeArray = made[rows_after(moves, rows.row, len(made))]
    return blanked
