"""Local suppression for k-anonymity, a missing cell being a category of its own."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.best_first import open_queue, pop, push
from microveil.kernels.blanking.packed_rows import missing_bits, packed_row, slot_of, strides
from microveil.kernels.jit import kernel

ROUNDING = 1e-9
MOST_LOOKED_AT = 200_000_000
"""Rows that are looked at in search of records to add, half a second's worth; after that, records
are added only to the row whose cells are all blank."""


class Moves(NamedTuple):
    """Moves of records from row to row, in order, and all rows that exist afterwards."""

    moves: Longs
    """(moves, 3): from which row, how many records, to which row."""
    codes: Ints
    """The original rows, then those created by blanking."""


class _Places(NamedTuple):
    """Rows that rare rows can become by blanking; equal rows are one place."""

    rows: Ints  # rare rows, grouped by place
    start: Longs  # (places + 1)
    missing: Longs  # blank cells of each place
    settled: Longs  # existing row of that place with k records or more, or −1


class _Rows(NamedTuple):
    codes: Ints
    sizes: Longs
    missing: Longs
    column_costs: Floats
    state: Longs  # [rows in use]


def gather(
    codes: Ints, counts: Longs, k: int, rare: Longs, bits: Longs, column_costs: Floats
) -> Moves:
    """Move records of rare rows to rows with more blanks until none is left.

    `codes` are distinct rows (−1 missing), `rare` some with fewer than k records, which have k or
    more together with all rows that are not rare. `bits` are the sets of columns that may be
    blanked together, the set of all columns among them. The greedy choice is
    the blanked row with the lowest cost per unsafe record; if too few unsafe records can be
    blanked to it, records are added from rows that have more than k, or a whole row. Time grows
    with rare rows × masks, and with rows for each choice that needs records of safe rows.

    >>> codes = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    >>> counts, rare = np.array([1, 1, 2]), np.array([0, 1])
    >>> gather(codes, counts, 2, rare, np.array([1, 2, 3]), np.ones(2)).moves.tolist()
    [[0, 1, 3], [1, 1, 3]]
    """
    n, m = codes.shape
    there = int(counts[rare].sum() + counts[counts >= k].sum())
    if there < k:
        raise ValueError(f"A row needs k = {k} records, there are {there}.")
    if (1 << m) - 1 not in bits:
        raise ValueError("All columns together must be one of the masks.")
    if not len(rare):
        return Moves(np.zeros((0, 3), dtype=np.int64), codes)
    places = _places(codes, counts, k, rare, bits)
    # Each new row takes in a rare one.
    room = n + len(rare)
    rows = _Rows(
        np.full((room, m), -1, dtype=np.int32),
        np.zeros(room, dtype=np.int64),
        np.zeros(room, dtype=np.int64),
        column_costs,
        np.array([n]),
    )
    rows.codes[:n], rows.sizes[:n], rows.missing[:n] = codes, counts, missing_bits(codes)
    moves = _gather(rows, places, k, MOST_LOOKED_AT)
    return Moves(moves, rows.codes[: rows.state[0]])


def _places(codes: Ints, counts: Longs, k: int, rare: Longs, bits: Longs) -> _Places:
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
    return _Places(rows, start, blank, settled)


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
def _cost(rows: _Rows, row: int, blank: int) -> float:
    """Cost of blanking a record of a row so that these cells are blank."""
    cost = 0.0
    for column in range(rows.column_costs.size):
        if (blank >> column) & 1 and not (rows.missing[row] >> column) & 1:
            cost += rows.column_costs[column]
    return cost


@kernel
def _reaches(rows: _Rows, row: int, example: int, blank: int) -> bool:
    """Whether a row equals an example once these cells are blank."""
    for column in range(rows.codes.shape[1]):
        if not (blank >> column) & 1 and rows.codes[row, column] != rows.codes[example, column]:
            return False
    return True


@kernel
def _need(rows: _Rows, places: _Places, place: int, open_: Longs) -> tuple[int, float]:
    """Unsafe records that a place could take in, and the cost of that."""
    n, cost = 0, 0.0
    for at in range(places.start[place], places.start[place + 1]):
        row = places.rows[at]
        if open_[row]:
            n += rows.sizes[row]
            cost += rows.sizes[row] * _cost(rows, row, places.missing[place])
    return n, cost


@kernel
def _donors(
    rows: _Rows, example: int, blank: int, lacking: int, k: int, taken: Longs
) -> tuple[int, float]:
    """Fill in the rows that give records to a place, and how many; return their number and cost.

    Records beyond k come first; if there are too few of them, the smallest row gives all it has.
    """
    n, cost, left, smallest = 0, 0.0, lacking, -1
    for row in range(rows.state[0]):
        if rows.sizes[row] < k or not _reaches(rows, row, example, blank):
            continue
        if smallest < 0 or rows.sizes[row] < rows.sizes[smallest]:
            smallest = row
        given = min(left, rows.sizes[row] - k)
        if given > 0:
            taken[2 * n], taken[2 * n + 1] = row, given
            n += 1
            left -= given
            cost += given * _cost(rows, row, blank)
        if left == 0:
            return n, cost
    if smallest < 0:
        return 0, np.inf
    taken[0], taken[1] = smallest, rows.sizes[smallest]
    return 1, rows.sizes[smallest] * _cost(rows, smallest, blank)


@kernel
def _settle(rows: _Rows, places: _Places, place: int, example: int) -> int:
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
def _guess(n: int, cost: float, lacking: int) -> float:
    """Estimated worth of a place, as if the missing records cost what the unsafe ones do.

    The exact worth is computed only for the best. If everything is free, places that need no
    further records come first.
    """
    if lacking <= 0:
        return -cost / n
    return -cost * (n + lacking) / (n * n) - ROUNDING


@kernel
def _move(rows: _Rows, row: int, given: int, to: int, move: Longs) -> None:
    """Move some records of a row to another, and note it."""
    move[0], move[1], move[2] = row, given, to
    rows.sizes[to] += given
    rows.sizes[row] -= given


@kernel
def _take_in(
    rows: _Rows, places: _Places, place: int, to: int, open_: Longs, moves: Longs, n_moves: int
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
def _gather(rows: _Rows, places: _Places, k: int, most_looked_at: int) -> Longs:
    n_places = places.missing.size
    open_ = np.zeros(rows.sizes.size, np.int64)
    for row in places.rows:
        open_[row] = 1
    queue = open_queue(n_places + 1)
    for place in range(n_places):
        n, cost = _need(rows, places, place, open_)
        push(queue, _guess(n, cost, 0 if places.settled[place] >= 0 else k - n), place)
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
        now = _guess(n, cost, lacking)
        n_donors = 0
        if lacking > 0 and now >= worth - ROUNDING * abs(worth):
            extra = np.inf
            if looked_at < most_looked_at or blank == full:
                n_donors, extra = _donors(rows, example, blank, lacking, k, taken)
                looked_at += rows.state[0]
            now = -(cost + extra) / n
        if now < worth - ROUNDING * abs(worth):
            push(queue, now, place)
            continue
        to = _settle(rows, places, place, example)
        n_moves = _take_in(rows, places, place, to, open_, moves, n_moves)
        for donor in range(n_donors):
            _move(rows, taken[2 * donor], taken[2 * donor + 1], to, moves[n_moves])
            n_moves += 1
    return moves[:n_moves]
