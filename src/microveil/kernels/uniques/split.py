"""Splitting classes of rows by one more column, and finding the rows that become unique."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs, Words
from microveil.kernels.jit import kernel
from microveil.kernels.uniques.wildcards import (
    SEVERAL,
    Incomplete,
    incomplete_rows,
    is_hidden,
    never_unique,
)

_ALONE, _DROPPED = -1, -2
_PAIR = 2
_N, _OWNER, _FIRST, _HOPEFUL, _PLACE = range(5)


class Rows(NamedTuple):
    """Distinct rows of codes."""

    codes: Ints
    """(columns, rows), −1 missing."""
    owners: Ints
    """The person a row is about; −1 if several people have it, so that it is never unique."""
    records: Longs
    """Records that have the row."""


class Level(NamedTuple):
    """The classes of one set of columns that larger sets can still split."""

    members: Ints
    """Rows, class by class."""
    starts: Ints
    """Start of each class, and the end of the last one."""
    n: Longs
    """[number of classes]"""


class Tally(NamedTuple):
    """Scratch space to count the codes of a class. Few arrays: each adds to the cost of a call."""

    code: Ints
    """Code of each row of the class."""
    of_code: Ints
    """(codes, 5): rows, their owner, the first, whether one may be unique, where they go."""
    touched: Ints
    """Codes that occur in the class."""
    fresh: Ints
    """Rows found to be unique on the set and on no subset."""


class Split(NamedTuple):
    """Everything that a split reads and writes."""

    rows: Rows
    tally: Tally
    incomplete: Incomplete
    never: NDArray[np.bool_]
    """Rows that are unique on no set."""
    n_fresh: Longs
    """[rows found so far]"""


def open_split(rows: Rows, *, wildcard: bool) -> Split:
    """Scratch space for all rows and codes; incomplete rows matter only as wildcards."""
    m, n = rows.codes.shape
    n_codes = int(rows.codes.max(initial=0)) + 1
    tally = Tally(
        np.zeros(n, dtype=np.int32),
        np.zeros((n_codes, 5), dtype=np.int32),
        np.zeros(n_codes, dtype=np.int32),
        np.zeros(n, dtype=np.int32),
    )
    looked_at = rows.codes if wildcard else np.zeros((m, 0), dtype=np.int32)
    never = never_unique(rows.codes, rows.owners) if wildcard else np.zeros(n, dtype=np.bool_)
    return Split(rows, tally, incomplete_rows(looked_at), never, np.zeros(1, dtype=np.int64))


@kernel
def split_classes(
    split: Split,
    column: int,
    before: Level,
    after: Level,
    bits: Words,
    chosen: int,
    last: bool,  # noqa: FBT001  compiled: no keywords
) -> int:
    """Split every class by a column; return the number of rows that have become unique.

    `bits` marks the rows that are unique on a subset of the `chosen` set, and afterwards all that
    are unique on it. Classes of no further use are dropped: all, if the set has the largest size.
    """
    codes, owners, tally = split.rows.codes[column], split.rows.owners, split.tally
    split.n_fresh[0] = 0
    after.n[0] = 0
    after.starts[0] = 0
    complete = split.incomplete.state[0] == 0
    for number in range(before.n[0]):
        start, stop = before.starts[number], before.starts[number + 1]
        if stop - start == _PAIR and complete:
            first, second = before.members[start], before.members[start + 1]
            if codes[first] >= 0 and codes[second] >= 0:
                if codes[first] != codes[second]:
                    _mark(split, first, bits)
                    _mark(split, second, bits)
                    continue
                if last and owners[first] != owners[second]:
                    continue
        members = before.members[start:stop]
        n_touched = _count(owners, codes, members, tally)
        if not complete:
            _hide(split, chosen, n_touched)
        _place(tally, after, last, n_touched)
        _deal(split, members, after.members, bits)
    return int(split.n_fresh[0])


@kernel
def _mark(split: Split, row: int, bits: Words) -> None:
    """Record a unique row, once."""
    word, bit = row >> 6, np.uint64(1) << np.uint64(row & 63)
    if split.rows.owners[row] != SEVERAL and not split.never[row] and not bits[word] & bit:
        bits[word] |= bit
        split.tally.fresh[split.n_fresh[0]] = row
        split.n_fresh[0] += 1


@kernel
def _count(owners: Ints, codes: Ints, members: Ints, tally: Tally) -> int:
    """Count the codes of a class and record their owners; return the number of distinct codes."""
    n_touched = 0
    for i in range(members.size):
        row = members[i]
        code = codes[row]
        tally.code[i] = code
        if code < 0:
            continue
        if tally.of_code[code, _N] == 0:
            tally.touched[n_touched] = code
            n_touched += 1
            tally.of_code[code, _FIRST] = row
            tally.of_code[code, _OWNER] = owners[row]
            tally.of_code[code, _HOPEFUL] = owners[row] != SEVERAL
        elif tally.of_code[code, _OWNER] != owners[row]:
            # Of different owners, so at least one of the rows may have a single owner.
            tally.of_code[code, _HOPEFUL] = 1
            tally.of_code[code, _OWNER] = SEVERAL
        tally.of_code[code, _N] += 1
    return n_touched


@kernel
def _hide(split: Split, chosen: int, n_touched: int) -> None:
    """Treat rows that an incomplete row may be equal to as rows of several people."""
    of_code = split.tally.of_code
    for i in range(n_touched):
        code = split.tally.touched[i]
        owner, row = of_code[code, _OWNER], of_code[code, _FIRST]
        if owner != SEVERAL and is_hidden(split.rows.codes, owner, split.incomplete, row, chosen):
            of_code[code, _OWNER] = SEVERAL


@kernel
def _place(tally: Tally, after: Level, last: bool, n_touched: int) -> None:  # noqa: FBT001  compiled: no keywords
    """Decide for each new class whether its rows are unique, remain, or are of no further use."""
    for i in range(n_touched):
        code = tally.touched[i]
        if tally.of_code[code, _OWNER] != SEVERAL:
            tally.of_code[code, _PLACE] = _ALONE
        elif last or not tally.of_code[code, _HOPEFUL]:
            tally.of_code[code, _PLACE] = _DROPPED
        else:
            end = after.starts[after.n[0]]
            tally.of_code[code, _PLACE] = end
            after.n[0] += 1
            after.starts[after.n[0]] = end + tally.of_code[code, _N]
        tally.of_code[code, _N] = 0


@kernel
def _deal(split: Split, members: Ints, into: Ints, bits: Words) -> None:
    """Mark the unique rows, and move those of each remaining class to its place."""
    tally = split.tally
    for i in range(members.size):
        code = tally.code[i]
        if code < 0:
            continue
        place = tally.of_code[code, _PLACE]
        if place == _ALONE:
            _mark(split, members[i], bits)
        elif place != _DROPPED:
            into[place] = members[i]
            tally.of_code[code, _PLACE] += 1
