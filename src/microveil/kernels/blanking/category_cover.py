"""Local suppression for k-anonymity, a missing cell being a category of its own."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.cores import blocks_of, map_on_cores
from microveil.kernels.best_first import Queue, open_queue, pop, push
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
from microveil.kernels.stable_order import stable_order_on_cores

BLOCK = 1 << 14
"""Places that a thread looks at in one go."""
WAVE = 1 << 16
"""Places among which empty ones are sorted out before one after the other is taken."""


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
    moves = _gather(rows, places, open_lists(rows, k), rare, k)
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


class _Course(NamedTuple):
    """What the choice goes by, and what it has come to."""

    open: Longs  # 1 for a rare row until it is moved
    worth: Floats  # of each place at the start
    moves: Longs
    taken: Longs  # room for donors
    state: Longs  # [moves so far, rows looked at]
    limits: Longs  # [k, rows that may be looked at]


def _gather(rows: Rows, places: Places, alike: Alike, rare: Longs, k: int) -> Longs:
    """Take the best place again and again; return the moves.

    Places wait in the order of their first worth, and those whose worth has fallen since in a
    queue. Most are empty by the time their turn comes: threads sort these out beforehand.
    """
    n_places = len(places.missing)
    n = len(rows.sizes)
    course = _Course(
        np.zeros(n, dtype=np.int64),
        np.empty(n_places),
        np.empty((4 * n, 3), dtype=np.int64),
        np.empty(2 * n, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.array([k, MOST_LOOKED_AT]),
    )
    course.open[rare] = 1
    blocks = blocks_of(n_places, BLOCK)
    map_on_cores(lambda at: _first_worths(rows, places, course, *at), blocks)
    order = stable_order_on_cores(-course.worth)
    queue = open_queue(n_places + 1)
    for start, stop in blocks_of(n_places, WAVE):
        parts = [order[start + a : start + b] for a, b in blocks_of(stop - start, BLOCK)]
        left = map_on_cores(lambda part: _still_open(places, course, part), parts)
        _choose(rows, places, alike, course, queue, np.concatenate(left))
    nothing = np.zeros(0, dtype=np.int64)
    while queue.state[0] > 0:
        _choose(rows, places, alike, course, queue, nothing)
    return course.moves[: course.state[0]]


@kernel
def _first_worths(rows: Rows, places: Places, course: _Course, begin: int, end: int) -> None:
    for place in range(begin, end):
        n, cost = _need(rows, places, place, course.open)
        lacking = 0 if places.settled[place] >= 0 else course.limits[0] - n
        course.worth[place] = guess(n, cost, lacking)


@kernel
def _still_open(places: Places, course: _Course, part: Longs) -> Longs:
    """The places of a part that have an unsafe row left."""
    kept = np.empty(part.size, np.int64)
    n = 0
    for place in part:
        for at in range(places.start[place], places.start[place + 1]):
            if course.open[places.rows[at]]:
                kept[n] = place
                n += 1
                break
    return kept[:n]


@kernel
def _choose(
    rows: Rows,
    places: Places,
    alike: Alike,
    course: _Course,
    queue: Queue,
    waiting: Longs,
) -> None:
    """Take places in turn, until none of those that wait is left (if none does: of the queue)."""
    at, drain = 0, waiting.size == 0
    while at < waiting.size or (drain and queue.state[0] > 0):
        first = -1 if drain else waiting[at]
        if drain or (
            queue.state[0] > 0
            and (
                queue.worth[0] > course.worth[first]
                or (queue.worth[0] == course.worth[first] and queue.entry[0] < first)
            )
        ):
            worth, place = queue.worth[0], queue.entry[0]
            pop(queue)
        else:
            worth, place = course.worth[first], first
            at += 1
        now = _try_place(rows, places, alike, course, worth, place)
        if now < worth:
            push(queue, now, place)


@kernel
def _try_place(
    rows: Rows,
    places: Places,
    alike: Alike,
    course: _Course,
    worth: float,
    place: int,
) -> float:
    """Let a place take in its rows if its worth has not fallen; return the worth if it has."""
    k, most_looked_at = course.limits
    n, cost = _need(rows, places, place, course.open)
    if n == 0:
        return np.inf
    blank, example = places.missing[place], places.rows[places.start[place]]
    standing = places.settled[place]
    lacking = k - n - (rows.sizes[standing] if standing >= 0 else 0)
    now = guess(n, cost, lacking)
    n_donors = 0
    if lacking > 0 and now >= worth - ROUNDING * abs(worth):
        extra = np.inf
        if course.state[1] < most_looked_at or blank == (1 << rows.codes.shape[1]) - 1:
            n_donors, extra = find_donors(rows, alike, example, blank, lacking, k, course.taken)
            course.state[1] += rows.state[0]
        now = -(cost + extra) / n
    if now < worth - ROUNDING * abs(worth):
        return now
    to = settle(rows, places, place, example)
    n_moves = _take_in(rows, places, place, to, course.open, course.moves, course.state[0])
    for donor in range(n_donors):
        row, given = course.taken[2 * donor], course.taken[2 * donor + 1]
        _move(rows, row, given, to, course.moves[n_moves])
        n_moves += 1
    course.state[0] = n_moves
    return np.inf
