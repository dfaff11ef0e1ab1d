"""How well each set of columns distinguishes rows."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.cores import stream_on_cores
from microveil.kernels.column_sets import MOST_COLUMNS, double_rows, next_set, set_bits
from microveil.kernels.jit import kernel
from microveil.kernels.uniques.by_sorting import counts_by_sorting, sorted_instead

_PAIR = 2
_CLASSES, _PAIRS, _UNIQUES = 0, 1, 2


class SetCounts(NamedTuple):
    """Counts of some sets of columns, one row per set."""

    sets: Longs
    """Columns as bits."""
    n_classes: Longs
    n_pairs: Longs
    """Pairs of records that are equal on the set."""
    n_unique: Longs
    """Records that are unique on the set."""


class _Levels(NamedTuple):
    """Classes of each set on the path that more columns can still split, and settled totals."""

    members: Ints
    starts: Ints
    n: Longs
    settled: Longs  # (levels, 3): classes, pairs and uniques of classes of a single row


class _Tally(NamedTuple):
    code: Ints
    rows: Ints
    records: Longs
    place: Ints
    touched: Ints


def set_separation(codes: Ints, counts: Longs, max_size: int) -> Iterator[SetCounts]:
    """Count the classes of every set of up to `max_size` columns, by its largest column.

    `codes` is (columns, rows), rows distinct, codes from 0 on; `counts` are the records of a row.
    The counts of sets whose largest column is 0 come first, then those of column 1, … Classes
    are split column by column, depth first; a class of one row is settled and not examined again
    further down. Time grows with rows × sets in the worst case.

    >>> codes = np.array([[0, 0, 1], [0, 1, 1]], dtype=np.int32)
    >>> for part in set_separation(codes, np.array([1, 1, 2]), 2):
    ...     print(part.sets.tolist(), part.n_classes.tolist(), part.n_pairs.tolist())
    [1] [2] [2]
    [2, 3] [2, 3] [3, 1]
    """
    m, n = codes.shape
    if m > MOST_COLUMNS or max_size < 1 or counts.shape != (n,):
        raise ValueError(f"{m} columns, {n} rows, {len(counts)} counts, sets of {max_size}.")
    max_size = min(max_size, m)
    n_codes = int(codes.max(initial=0)) + 1
    codes = np.ascontiguousarray(codes, dtype=np.int32)
    counts = counts.astype(np.int64)
    sorting = sorted_instead(_branch, n, m, max_size)

    def count(top: int) -> Longs:
        if sorting:
            return counts_by_sorting(codes, counts, top, max_size)
        return _branch(codes, counts, top, max_size, _open(n, max_size), _tally_of(n, n_codes))

    for found in stream_on_cores(count, range(m)):
        yield SetCounts(found[:, 0], found[:, 1], found[:, 2], found[:, 3])


def _tally_of(n: int, n_codes: int) -> _Tally:
    return _Tally(
        np.zeros(n, dtype=np.int32),
        np.zeros(n_codes, dtype=np.int32),
        np.zeros(n_codes, dtype=np.int64),
        np.zeros(n_codes, dtype=np.int32),
        np.zeros(n_codes, dtype=np.int32),
    )


def _open(n: int, max_size: int) -> _Levels:
    levels = _Levels(
        np.zeros((max_size + 1, n), dtype=np.int32),
        np.zeros((max_size + 1, n // _PAIR + 2), dtype=np.int32),
        np.zeros(max_size + 1, dtype=np.int64),
        np.zeros((max_size + 1, 3), dtype=np.int64),
    )
    levels.members[0] = np.arange(n)
    levels.starts[0, 1:] = n
    levels.n[0] = 1 if n else 0
    return levels


@kernel
def _settle(totals: Longs, records: int) -> None:
    """Add a class of so many records."""
    totals[_CLASSES] += 1
    totals[_PAIRS] += records * (records - 1) // 2
    totals[_UNIQUES] += 1 if records == 1 else 0


@kernel
def _split(
    codes: Ints, counts: Longs, column: int, depth: int, levels: _Levels, tally: _Tally
) -> Longs:
    """Split the classes above a depth by a column; return classes, pairs and uniques."""
    members, starts = levels.members[depth - 1], levels.starts[depth - 1]
    settled = levels.settled[depth]
    for one in range(3):  # cell by cell: a block assignment takes a second to compile
        settled[one] = levels.settled[depth - 1, one]
    going_on = np.zeros(3, np.int64)
    levels.n[depth] = 0
    levels.starts[depth, 0] = 0
    for number in range(levels.n[depth - 1]):
        start, stop = starts[number], starts[number + 1]
        if stop - start == _PAIR:
            first, second = members[start], members[start + 1]
            if codes[column, first] != codes[column, second]:
                _settle(settled, counts[first])
                _settle(settled, counts[second])
                continue
        n_touched = _count(codes[column], counts, members[start:stop], tally)
        for i in range(n_touched):
            code = tally.touched[i]
            if tally.rows[code] == 1:
                _settle(settled, tally.records[code])
                tally.place[code] = -1
            else:
                _settle(going_on, tally.records[code])
                end = levels.starts[depth, levels.n[depth]]
                tally.place[code] = end
                levels.n[depth] += 1
                levels.starts[depth, levels.n[depth]] = end + tally.rows[code]
            tally.rows[code] = 0
        _gather(members[start:stop], levels.members[depth], tally)
    for one in range(3):
        going_on[one] += settled[one]
    return going_on


@kernel
def _count(codes: Ints, counts: Longs, members: Ints, tally: _Tally) -> int:
    """Count rows and records by code; return the number of distinct codes."""
    n_touched = 0
    for i in range(members.size):
        row = members[i]
        code = codes[row]
        tally.code[i] = code
        if tally.rows[code] == 0:
            tally.touched[n_touched] = code
            tally.records[code] = 0
            n_touched += 1
        tally.rows[code] += 1
        tally.records[code] += counts[row]
    return n_touched


@kernel
def _gather(members: Ints, into: Ints, tally: _Tally) -> None:
    """Move the rows of each remaining class to its place."""
    for i in range(members.size):
        code = tally.code[i]
        if tally.place[code] >= 0:
            into[tally.place[code]] = members[i]
            tally.place[code] += 1


@kernel
def _branch(
    codes: Ints, counts: Longs, top: int, max_size: int, levels: _Levels, tally: _Tally
) -> Longs:
    """Counts of all sets whose largest column is `top`: (set, classes, pairs, uniques) each."""
    found = np.zeros((16, 4), np.int64)
    n_found = 0
    path = np.zeros(max_size + 1, np.int64)
    path[0] = top
    depth = 1
    while depth > 0:
        if n_found == found.shape[0]:
            found = double_rows(found)
        found[n_found, 0] = set_bits(path, depth)
        totals = _split(codes, counts, path[depth - 1], depth, levels, tally)
        for one in range(3):
            found[n_found, 1 + one] = totals[one]
        n_found += 1
        depth = next_set(path, depth, top, depth < max_size)
    return found[:n_found]
