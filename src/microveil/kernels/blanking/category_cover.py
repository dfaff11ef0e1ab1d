"""Local suppression for k-anonymity, a missing cell being a category of its own."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.best_first import open_queue, pop, push
from microveil.kernels.blanking.donors import Alike, find_donors, open_lists
from microveil.kernels.blanking.places import (
    MOST_LOOKED_AT,
    ROUNDING,
    Places,
    Rows,
    blanking_cost,
    guess,
    open_rows,
    places_of,
    settle,
)
from microveil.kernels.jit import kernel


class Moves(NamedTuple):
    """Moves of records from row to row, in order, and all rows that exist afterwards."""

    moves: Longs
    """(moves, 3): from which row, how many records, to which row."""
    codes: Ints
    """The original rows, then those created by blanking."""


def gather(
    codes: Ints, counts: Longs, k: int, rare: Longs, bits: Longs, column_costs: Floats
) -> Moves:
    """Move records of rare rows to rows with more blanks until none is left.

    `codes` are distinct rows (−1 missing), `rare` some with fewer than k records, which have k or
    more together with all rows that are not rare. `bits` are the sets of columns that may be
    blanked together, the set of all columns among them. The greedy choice is
    the blanked row with the lowest cost per unsafe record; if too few unsafe records can be
    blanked to it, records are added from rows that have more than k, or a whole row. Time grows
    with rare rows × masks.

    >>> codes = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    >>> counts, rare = np.array([1, 1, 2]), np.array([0, 1])
    >>> gather(codes, counts, 2, rare, np.array([1, 2, 3]), np.ones(2)).moves.tolist()
    [[0, 1, 3], [1, 1, 3]]
    """
    there = int(counts[rare].sum() + counts[counts >= k].sum())
    if there < k:
        raise ValueError(f"A row needs k = {k} records, there are {there}.")
    if (1 << codes.shape[1]) - 1 not in bits:
        raise ValueError("All columns together must be one of the masks.")
    if not len(rare):
        return Moves(np.zeros((0, 3), dtype=np.int64), codes)
    places = places_of(codes, counts, k, rare, bits)
    # Each new row takes in a rare one.
    rows = open_rows(codes, counts, len(rare), column_costs)
    moves = _gather(rows, places, open_lists(rows, k), k, MOST_LOOKED_AT)
    return Moves(moves, rows.codes[: rows.state[0]])


@kernel
def rows_after(moves: Longs, row: Longs, n_rows: int) -> Longs:
    """The row of each record after the moves; those that come first in a row leave it first."""
    first = np.full(n_rows, -1, np.int64)
    following = np.empty(row.size, np.int64)
    after = row.copy()
    for record in range(row.size - 1, -1, -1):
        following[record] = first[row[record]]
        first[row[record]] = record
    for left, n_records, to in moves:
        for _ in range(n_records):
            record = first[left]
            first[left] = following[record]
            following[record] = first[to]
            first[to] = record
            after[record] = to
    return after


@kernel
def _need(rows: Rows, places: Places, place: int, open_: Longs) -> tuple[int, float]:
    """Unsafe records that a place could take in, and the cost of that."""
    n, cost = 0, 0.0
    for at in range(places.start[place], places.start[place + 1]):
        row = places.rows[at]
        if open_[row]:
            n += rows.sizes[row]
            cost += rows.sizes[row] * blanking_cost(rows, row, places.missing[place])
    return n, cost


@kernel
def _move(rows: Rows, row: int, given: int, to: int, move: Longs) -> None:
    """Move some records of a row to another, and note it."""
    move[0], move[1], move[2] = row, given, to
    rows.sizes[to] += given
    rows.sizes[row] -= given


@kernel
def _take_in(
    rows: Rows, places: Places, place: int, to: int, open_: Longs, moves: Longs, n_moves: int
) -> int:
    """Move the unsafe records that a place can take in to its row; return the moves so far."""
    for at in range(places.start[place], places.start[place + 1]):
        row = places.rows[at]
        if open_[row]:
            open_[row] = 0
            _move(rows, row, rows.sizes[row], to, moves[n_moves])
            n_moves += 1
    return n_moves


@kernel
def _gather(rows: Rows, places: Places, alike: Alike, k: int, most_looked_at: int) -> Longs:
    n_places = places.missing.size
    open_ = np.zeros(rows.sizes.size, np.int64)
    for row in places.rows:
        open_[row] = 1
    queue = open_queue(n_places + 1)
    for place in range(n_places):
        n, cost = _need(rows, places, place, open_)
        push(queue, guess(n, cost, 0 if places.settled[place] >= 0 else k - n), place)
    moves = np.empty((4 * rows.sizes.size, 3), np.int64)
    taken = np.empty(2 * rows.sizes.size, np.int64)
    n_moves = looked_at = 0
    full = (1 << rows.codes.shape[1]) - 1
    while queue.state[0] > 0:
        worth, place = queue.worth[0], queue.entry[0]
        pop(queue)
        n, cost = _need(rows, places, place, open_)
        if n == 0:
            continue
        blank, example = places.missing[place], places.rows[places.start[place]]
        standing = places.settled[place]
        lacking = k - n - (rows.sizes[standing] if standing >= 0 else 0)
        now = guess(n, cost, lacking)
        n_donors = 0
        if lacking > 0 and now >= worth - ROUNDING * abs(worth):
            extra = np.inf
            if looked_at < most_looked_at or blank == full:
                n_donors, extra = find_donors(rows, alike, example, blank, lacking, k, taken)
                looked_at += rows.state[0]
            now = -(cost + extra) / n
        if now < worth - ROUNDING * abs(worth):
            push(queue, now, place)
            continue
        to = settle(rows, places, place, example)
        n_moves = _take_in(rows, places, place, to, open_, moves, n_moves)
        for donor in range(n_donors):
            _move(rows, taken[2 * donor], taken[2 * donor + 1], to, moves[n_moves])
            n_moves += 1
    return moves[:n_moves]
