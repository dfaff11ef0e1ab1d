"""Which incomplete records hide a unique one when a missing cell matches every value."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Ints, Longs
from microveil.kernels.blanking.rule import silent_pattern
from microveil.kernels.jit import kernel, wrapping_kernel

SEVERAL = -1
"""Owner of rows that belong to more than one person."""


class Incomplete(NamedTuple):
    """The rows with missing cells, and a hash table of those incomplete on a set of columns.

    Rows with every cell missing are handled by :func:`never_unique`.
    """

    rows: Ints
    missing: Longs
    """Missing cells of each row as bits."""
    patterns: Longs
    """The distinct patterns in `missing`."""
    factors: Longs
    """(columns,) factors that pack the cells of a row into one integer."""
    seen: Longs
    """Patterns within the current set; the first `state[0]` are in use."""
    keys: Longs
    """Slots: the number of the present cells,"""
    hidden: Longs
    """the missing cells of the set as bits,"""
    example: Ints
    """a row, −1 in a free slot,"""
    owner: Ints
    """and whose rows they are."""
    state: Longs
    """[number of patterns]"""


def incomplete_rows(codes: Ints) -> Incomplete:
    """Find the rows with missing cells (−1) of a (columns, rows) table."""
    m = len(codes)
    bits = np.int64(1) << np.arange(m, dtype=np.int64)
    missing = ((codes < 0) * bits[:, None]).sum(axis=0, dtype=np.int64)
    rows = np.flatnonzero((missing > 0) & (missing < (1 << m) - 1)).astype(np.int32)
    patterns = np.unique(missing[rows])
    n_slots = 1 << int(2 * len(rows) + 1).bit_length()
    return Incomplete(
        rows,
        missing[rows],
        patterns,
        np.random.default_rng(0).integers(-(2**63), 2**63 - 1, m) | 1,
        np.zeros(len(patterns), dtype=np.int64),
        np.zeros(n_slots, dtype=np.int64),
        np.zeros(n_slots, dtype=np.int64),
        np.full(n_slots, -1, dtype=np.int32),
        np.zeros(n_slots, dtype=np.int32),
        np.zeros(1, dtype=np.int64),
    )


def never_unique(codes: Ints, owners: Ints) -> NDArray[np.bool_]:
    """Rows that are hidden, on any set of columns, by another person's row of missing cells only.

    Such a row matches every row, and counts for all that lack a cell themselves, but not for
    complete rows of several columns (:func:`~microveil.kernels.blanking.rule.counted_share`).
    """
    silent = silent_pattern(len(codes))
    lacking = (codes < 0).any(axis=0) | (silent == 0)
    blank = np.unique(owners[(codes < 0).all(axis=0)])
    if len(blank) == 0:
        return np.zeros(len(owners), dtype=np.bool_)
    mine = owners == blank[0] if len(blank) == 1 and blank[0] != SEVERAL else False
    hidden: NDArray[np.bool_] = lacking & ~np.asarray(mine)
    return hidden


@kernel
def index_incomplete(codes: Ints, owners: Ints, incomplete: Incomplete, chosen: int) -> None:
    """Rebuild the table for a set of columns, given as bits."""
    incomplete.example[:] = -1
    incomplete.state[0] = 0
    for place in range(incomplete.patterns.size):
        hidden = incomplete.patterns[place] & chosen
        known = hidden == 0
        for other in range(incomplete.state[0]):
            known = known or incomplete.seen[other] == hidden
        if not known:
            incomplete.seen[incomplete.state[0]] = hidden
            incomplete.state[0] += 1
    for place in range(incomplete.rows.size):
        hidden = incomplete.missing[place] & chosen
        if hidden == 0:
            continue
        row = incomplete.rows[place]
        slot = _slot(codes, incomplete, row, chosen, hidden)
        if incomplete.example[slot] < 0:
            incomplete.example[slot] = row
            incomplete.owner[slot] = owners[row]
        elif incomplete.owner[slot] != owners[row]:
            incomplete.owner[slot] = SEVERAL


@kernel
def is_hidden(codes: Ints, owner: int, incomplete: Incomplete, row: int, chosen: int) -> bool:
    """Whether an incomplete row of another owner counts for a row that is complete on the set."""
    for place in range(incomplete.state[0]):
        slot = _slot(codes, incomplete, row, chosen, incomplete.seen[place])
        if incomplete.example[slot] >= 0 and incomplete.owner[slot] != owner:
            return True
    return False


@wrapping_kernel
def _slot(codes: Ints, incomplete: Incomplete, row: int, chosen: int, hidden: int) -> int:
    """The slot of rows that agree with this one on the set without its hidden cells."""
    packed = np.int64(0)
    for column in range(codes.shape[0]):
        if ((chosen & ~hidden) >> column) & 1:
            packed += (codes[column, row] + 1) * incomplete.factors[column]
    mixed = packed ^ (packed >> 29) ^ (packed >> 47)
    last = incomplete.keys.size - 1
    slot = mixed & last
    while incomplete.example[slot] >= 0 and not (
        incomplete.keys[slot] == packed
        and incomplete.hidden[slot] == hidden
        and _agree(codes, row, incomplete.example[slot], chosen & ~hidden)
    ):
        slot = (slot + 1) & last
    if incomplete.example[slot] < 0:
        incomplete.keys[slot] = packed
        incomplete.hidden[slot] = hidden
    return int(slot)


@kernel
def _agree(codes: Ints, first: int, second: int, shown: int) -> bool:
    for column in range(codes.shape[0]):
        if (shown >> column) & 1 and codes[column, first] != codes[column, second]:
            return False
    return True
