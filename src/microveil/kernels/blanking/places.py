"""Rows that rare rows can become by blanking cells, a missing cell being a category of its own."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.blanking.packed_rows import missing_bits, packed_row, slot_of, strides
from microveil.kernels.jit import kernel

ROUNDING = 1e-9
MOST_LOOKED_AT = 200_000_000
"""Rows that are looked at in search of records to add, half a second's worth; after that, records
are added only to the row whose cells are all blank."""


class Places(NamedTuple):
    """Rows that rare rows can become by blanking; equal rows are one place."""

    rows: Ints  # rare rows, grouped by place
    start: Longs  # (places + 1)
    missing: Longs  # blank cells of each place
    settled: Longs  # existing row of that place with k records or more, or −1


class Rows(NamedTuple):
    """Distinct rows with their sizes, and room for new ones."""

    codes: Ints
    sizes: Longs
    missing: Longs
    column_costs: Floats
    state: Longs  # [rows in use]


def open_rows(codes: Ints, counts: Longs, n_more: int, column_costs: Floats) -> Rows:
    """The rows with room for so many more."""
    n, m = codes.shape
    rows = Rows(
        np.full((n + n_more, m), -1, dtype=np.int32),
        np.zeros(n + n_more, dtype=np.int64),
        np.zeros(n + n_more, dtype=np.int64),
        column_costs,
        np.array([n]),
    )
    rows.codes[:n], rows.sizes[:n], rows.missing[:n] = codes, counts, missing_bits(codes)
    return rows


def places_of(codes: Ints, counts: Longs, k: int, rare: Longs, bits: Longs) -> Places:
    """Number the rows that rare rows can become, and mark those that are safe already."""
    masks = np.concatenate([[0], bits])
    n_slots = 1 << int(1.5 * rare.size * masks.size).bit_length()
    keys, owner = np.empty(n_slots, dtype=np.int64), np.full(n_slots, -1, dtype=np.int32)
    factors, missing = strides(codes), missing_bits(codes)
    place, blank = _number(codes, rare, missing, masks, factors, keys, owner)
    settled = np.full(len(blank), -1, dtype=np.int64)
    _mark_settled(codes, np.flatnonzero(counts >= k), factors, keys, owner, settled)
    del keys, owner
    rows, start = _lists(place, rare, len(blank))
    return Places(rows, start, blank, settled)


@kernel
def _slot(packed: int, keys: Longs, owner: Ints) -> int:
    """The slot of a packed row, or the free slot for it."""
    slot = slot_of(packed, keys.size)
    while owner[slot] >= 0 and keys[slot] != packed:
        slot = (slot + 1) & (keys.size - 1)
    return int(slot)


@kernel
def _number(
    codes: Ints,
    rare: Longs,
    missing: Longs,
    masks: Longs,
    factors: Longs,
    keys: Longs,
    owner: Ints,
) -> tuple[Ints, Longs]:
    """(rows, masks): place of a blanked rare row, −1 for a repeat; blank cells of each place."""
    place = np.empty((rare.size, masks.size), np.int32)
    blank = np.empty(rare.size * masks.size, np.int64)
    last = np.empty(rare.size * masks.size, np.int32)
    n = 0
    for i in range(rare.size):
        for j in range(masks.size):
            packed = packed_row(codes, rare[i], masks[j], factors)
            slot = _slot(packed, keys, owner)
            if owner[slot] < 0:
                keys[slot], owner[slot] = packed, n
                blank[n] = masks[j] | missing[rare[i]]
                last[n] = -1
                n += 1
            number = owner[slot]
            place[i, j] = -1 if last[number] == i else number
            last[number] = i
    return place, blank[:n].copy()


@kernel
def _mark_settled(
    codes: Ints, safe: Longs, factors: Longs, keys: Longs, owner: Ints, settled: Longs
) -> None:
    for row in safe:
        slot = _slot(packed_row(codes, row, 0, factors), keys, owner)
        if owner[slot] >= 0:
            settled[owner[slot]] = row


@kernel
def _lists(place: Ints, rare: Longs, n_places: int) -> tuple[Ints, Longs]:
    """Rare rows by place, and where each place starts among them."""
    start = np.zeros(n_places + 1, np.int64)
    for i in range(place.shape[0]):
        for number in place[i]:
            if number >= 0:
                start[number + 1] += 1
    for number in range(n_places):
        start[number + 1] += start[number]
    rows = np.empty(start[n_places], np.int32)
    filled = start[:-1].copy()
    for i in range(place.shape[0]):
        for number in place[i]:
            if number >= 0:
                rows[filled[number]] = rare[i]
                filled[number] += 1
    return rows, start


@kernel
def blanking_cost(rows: Rows, row: int, blank: int) -> float:
    """Cost of blanking a record of a row so that these cells are blank."""
    cost = 0.0
    for column in range(rows.column_costs.size):
        if (blank >> column) & 1 and not (rows.missing[row] >> column) & 1:
            cost += rows.column_costs[column]
    return cost


@kernel
def reaches(rows: Rows, row: int, example: int, blank: int) -> bool:
    """Whether a row equals an example once these cells are blank."""
    for column in range(rows.codes.shape[1]):
        if not (blank >> column) & 1 and rows.codes[row, column] != rows.codes[example, column]:
            return False
    return True


@kernel
def settle(rows: Rows, places: Places, place: int, example: int) -> int:
    """The row of a place, created if it does not exist yet."""
    row = places.settled[place]
    if row < 0:
        row = rows.state[0]
        rows.state[0] += 1
        rows.missing[row] = places.missing[place]
        for column in range(rows.codes.shape[1]):
            if not (places.missing[place] >> column) & 1:
                rows.codes[row, column] = rows.codes[example, column]
        places.settled[place] = row
    return int(row)


@kernel
def guess(n: int, cost: float, lacking: int) -> float:
    """Estimated worth of a place, as if the missing records cost what the unsafe ones do.

    The exact worth is computed only for the best. If everything is free, places that need no
    further records come first.
    """
    if lacking <= 0:
        return -cost / n
    return -cost * (n + lacking) / (n * n) - ROUNDING
