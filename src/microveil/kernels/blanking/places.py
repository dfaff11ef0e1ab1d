"""Rows that rare rows can become by blanking cells, a missing cell being a category of its own."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.blanking.packed_rows import missing_bits, strides
from microveil.kernels.blanking.place_numbers import (
    number_places,
    rows_at_places,
    rows_of_places,
)
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
    factors = strides(codes)
    masks = np.concatenate([[0], bits])
    numbers = number_places(codes, rare, missing_bits(codes), masks, factors)
    settled = rows_at_places(numbers, codes, np.flatnonzero(counts >= k), factors)
    rows, start = rows_of_places(numbers, rare)
    return Places(rows, start, numbers.blank, settled)


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
