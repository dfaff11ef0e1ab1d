"""Local suppression so that k people share every row, when people have several rows."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.best_first import open_queue, pop, push
from microveil.kernels.blanking.places import (
    MOST_LOOKED_AT,
    ROUNDING,
    Places,
    Rows,
    blanking_cost,
    guess,
    open_rows,
    places_of,
    reaches,
    settle,
)
from microveil.kernels.jit import kernel


class Stays(NamedTuple):
    """Who has which row: one stay for each pair of a row and a person, by row."""

    start: Longs
    """(rows + 1) first stay of each row."""
    person: Longs
    records: Longs
    """Records that the person has in the row."""


class Settled(NamedTuple):
    """The row of each stay afterwards, and all rows that exist then."""

    row: Longs
    codes: Ints


class _Crowd(NamedTuple):
    """The people counted in each row, as a list that stays leave and join."""

    row: Longs  # row of each stay
    first: Longs  # first stay counted in each row, or −1
    following: Longs  # next stay counted in the same row, or −1
    person: Longs
    records: Longs
    seen: Longs  # last mark of each person


def gather_people(
    codes: Ints, stays: Stays, k: int, rare: Longs, bits: Longs, column_costs: Floats
) -> Settled:
    """Move the people of rare rows to rows with more blanks.

    As :func:`~microveil.kernels.blanking.category_cover.gather` does with records: a row needs k
    different people, and all records that a person has in a row move together. A person who joins
    a row twice counts once. Where too few people can be found, a row is left with fewer, for
    another pass: every pass blanks cells.

    >>> codes = np.array([[0, 0], [0, 1], [1, 1]], dtype=np.int32)
    >>> stays = Stays(np.array([0, 1, 2, 4]), np.array([0, 1, 0, 1]), np.ones(4, np.int64))
    >>> gather_people(codes, stays, 2, np.array([0, 1]), np.array([1, 2, 3]), np.ones(2)).row
    array([3, 3, 2, 2])
    """
    counts = np.diff(stays.start)
    if (1 << codes.shape[1]) - 1 not in bits:
        raise ValueError("All columns together must be one of the masks.")
    places = places_of(codes, counts, k, rare, bits)
    rows = open_rows(codes, counts, len(rare), column_costs)
    crowd = _assemble(stays, len(rows.sizes), int(stays.person.max(initial=-1)) + 1)
    if len(rare):
        _gather(rows, places, crowd, k, MOST_LOOKED_AT)
    return Settled(crowd.row, rows.codes[: rows.state[0]])


def _assemble(stays: Stays, n_rows: int, n_people: int) -> _Crowd:
    n = len(stays.person)
    row = np.repeat(np.arange(len(stays.start) - 1), np.diff(stays.start))
    first = np.full(n_rows, -1, dtype=np.int64)
    occupied = np.flatnonzero(np.diff(stays.start))
    first[occupied] = stays.start[occupied]
    following = np.arange(1, n + 1)
    following[stays.start[occupied + 1] - 1] = -1
    seen = np.zeros(n_people, dtype=np.int64)
    return _Crowd(row, first, following, stays.person, stays.records, seen)


@kernel
def _need(
    rows: Rows, places: Places, place: int, open_: Longs, crowd: _Crowd, mark: int
) -> tuple[int, float]:
    """Unsafe people that a place could take in, who are marked, and the cost of that."""
    n, cost = 0, 0.0
    for at in range(places.start[place], places.start[place + 1]):
        row = places.rows[at]
        if open_[row]:
            each = blanking_cost(rows, row, places.missing[place])
            stay = crowd.first[row]
            while stay >= 0:
                cost += crowd.records[stay] * each
                if crowd.seen[crowd.person[stay]] != mark:
                    crowd.seen[crowd.person[stay]] = mark
                    n += 1
                stay = crowd.following[stay]
    return n, cost


@kernel
def _offer(crowd: _Crowd, row: int, most: int, mark: int, taken: Longs, n: int) -> int:
    """Note up to so many stays of a row whose people are not marked yet, and mark these."""
    stay, wanted = crowd.first[row], n + most
    while stay >= 0 and n < wanted:
        if crowd.seen[crowd.person[stay]] != mark:
            crowd.seen[crowd.person[stay]] = mark
            taken[n] = stay
            n += 1
        stay = crowd.following[stay]
    return n


@kernel
def _donors(
    rows: Rows,
    crowd: _Crowd,
    example: int,
    blank: int,
    lacking: int,
    goal: tuple[int, int],
    taken: Longs,
) -> tuple[int, float]:
    """Fill in the stays that are moved to a place for want of people; return number and cost.

    Rows that have more than k people give some of them; if there are too few, the smallest row
    gives all. `goal` is k and the mark of the people who are there already.
    """
    k, mark = goal
    n, cost, smallest = 0, 0.0, -1
    for row in range(rows.state[0]):
        if rows.sizes[row] < k or not reaches(rows, row, example, blank):
            continue
        if smallest < 0 or rows.sizes[row] < rows.sizes[smallest]:
            smallest = row
        before = n
        n = _offer(crowd, row, min(lacking - n, rows.sizes[row] - k), mark, taken, n)
        each = blanking_cost(rows, row, blank)
        for place in range(before, n):
            cost += crowd.records[taken[place]] * each
        if n == lacking:
            return n, cost
    if smallest < 0:
        return 0, np.inf
    n, cost = 0, 0.0
    stay, each = crowd.first[smallest], blanking_cost(rows, smallest, blank)
    while stay >= 0:
        taken[n] = stay
        n += 1
        cost += crowd.records[stay] * each
        stay = crowd.following[stay]
    return n, cost


@kernel
def _join(rows: Rows, crowd: _Crowd, stay: int, to: int, mark: int) -> None:
    """Move a stay that has left its row's list to another row, and count the person there once.

    With mark 0 nobody is counted: the row is safe, and may have the person already.
    """
    crowd.row[stay] = to
    person = crowd.person[stay]
    if mark > 0 and crowd.seen[person] != mark:
        crowd.seen[person] = mark
        crowd.following[stay] = crowd.first[to]
        crowd.first[to] = stay
        rows.sizes[to] += 1


@kernel
def _leave(rows: Rows, crowd: _Crowd, taken: Longs, n: int) -> None:
    """Take stays out of the lists of their rows; stays of one row are neighbours."""
    place = 0
    while place < n:
        row = crowd.row[taken[place]]
        stay, last = crowd.first[row], -1
        while stay >= 0 and place < n and crowd.row[taken[place]] == row:
            after = crowd.following[stay]
            if stay == taken[place]:
                if last < 0:
                    crowd.first[row] = after
                else:
                    crowd.following[last] = after
                rows.sizes[row] -= 1
                place += 1
            else:
                last = stay
            stay = after


@kernel
def _take_in(
    rows: Rows, places: Places, place: int, to: int, open_: Longs, crowd: _Crowd, mark: int
) -> None:
    """Move the unsafe people that a place can take in to its row."""
    for at in range(places.start[place], places.start[place + 1]):
        row = places.rows[at]
        if open_[row]:
            open_[row] = 0
            stay = crowd.first[row]
            crowd.first[row], rows.sizes[row] = -1, 0
            while stay >= 0:
                after = crowd.following[stay]
                _join(rows, crowd, stay, to, mark)
                stay = after


@kernel
def _gather(rows: Rows, places: Places, crowd: _Crowd, k: int, most_looked_at: int) -> None:
    n_places = places.missing.size
    open_ = np.zeros(rows.sizes.size, np.int64)
    open_[places.rows] = 1
    queue = open_queue(n_places + 1)
    mark = 0
    for place in range(n_places):
        mark += 1
        n, cost = _need(rows, places, place, open_, crowd, mark)
        push(queue, guess(n, cost, 0 if places.settled[place] >= 0 else k - n), place)
    taken = np.empty(crowd.row.size, np.int64)
    looked_at = 0
    full = (1 << rows.codes.shape[1]) - 1
    while queue.state[0] > 0:
        worth, place = queue.worth[0], queue.entry[0]
        pop(queue)
        mark += 1
        n, cost = _need(rows, places, place, open_, crowd, mark)
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
                n_donors, extra = _donors(rows, crowd, example, blank, lacking, (k, mark), taken)
                looked_at += rows.state[0]
            now = -(cost + extra) / n
        if now < worth - ROUNDING * abs(worth):
            push(queue, now, place)
            continue
        to = settle(rows, places, place, example)
        _leave(rows, crowd, taken, n_donors)
        mark += 1
        as_new = mark if rows.sizes[to] == 0 else 0
        _take_in(rows, places, place, to, open_, crowd, as_new)
        for donor in range(n_donors):
            _join(rows, crowd, taken[donor], to, as_new)
