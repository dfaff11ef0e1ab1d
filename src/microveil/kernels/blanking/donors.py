"""Rows that can give records to a blanked row, found through lists of rows that look alike.

For each set of blank cells, rows that hash alike without these cells are one list, in order. A list
is made when it is first needed, and the rows that have come since are added to its end.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Ints, Longs
from microveil.kernels.blanking.packed_rows import packed_row, slot_of, strides
from microveil.kernels.blanking.places import Rows, blanking_cost, reaches
from microveil.kernels.jit import kernel

MEMORY = 1 << 26
"""Bytes of lists; sets of cells for which there is no room are looked through row by row."""


class Alike(NamedTuple):
    """Lists of rows, by the set of blank cells and by hash."""

    blank: Longs  # the sets that have lists, −1 for none yet
    upto: Longs  # rows that are in the lists of each set
    head: Ints  # (sets, slots): first row of a list, −1 if it is empty
    tail: Ints
    following: Ints  # (sets, rows): the row after each in its list, −1 at the end
    factors: Longs
    gives: Flags  # whether a row may ever give: rare rows never do


def open_lists(rows: Rows, k: int, memory: int = MEMORY) -> Alike:
    """No lists yet, and room for as many as the memory allows."""
    n_rows, n = len(rows.sizes), int(rows.state[0])
    slots = 1 << max(n_rows // 4, 1).bit_length()
    n_sets = max(memory // (4 * (n_rows + 2 * slots)), 1)
    n_sets = min(n_sets, (1 << rows.codes.shape[1]) - 1)
    gives = np.ones(n_rows, dtype=np.bool_)
    gives[:n] = rows.sizes[:n] >= k
    return Alike(
        np.full(n_sets, -1, dtype=np.int64),
        np.zeros(n_sets, dtype=np.int64),
        np.empty((n_sets, slots), dtype=np.int32),
        np.empty((n_sets, slots), dtype=np.int32),
        np.empty((n_sets, n_rows), dtype=np.int32),
        strides(rows.codes[:n]),
        gives,
    )


@kernel
def _lists_of(alike: Alike, rows: Rows, blank: int) -> int:
    """The lists of a set of blank cells, brought up to date; −1 if there is no room for them."""
    number = 0
    while number < alike.blank.size and alike.blank[number] not in (blank, -1):
        number += 1
    if number == alike.blank.size:
        return -1
    head, tail, following = alike.head[number], alike.tail[number], alike.following[number]
    if alike.blank[number] < 0:
        alike.blank[number] = blank
        head[:] = -1
    for row in range(alike.upto[number], rows.state[0]):
        if not alike.gives[row]:
            continue
        slot = slot_of(packed_row(rows.codes, row, blank, alike.factors), head.size)
        if head[slot] < 0:
            head[slot] = row
        else:
            following[tail[slot]] = row
        tail[slot], following[row] = row, -1
    alike.upto[number] = rows.state[0]
    return number


@kernel
def find_donors(
    rows: Rows, alike: Alike, example: int, blank: int, lacking: int, k: int, taken: Longs
) -> tuple[int, float]:
    """Fill in the rows that give records to a place, and how many; return their number and cost.

    Records beyond k come first; if there are too few of them, the smallest row gives all it has.
    """
    n, cost, left, smallest = 0, 0.0, lacking, -1
    number = _lists_of(alike, rows, blank)
    row = 0
    if number >= 0:
        packed = packed_row(rows.codes, example, blank, alike.factors)
        row = alike.head[number, slot_of(packed, alike.head.shape[1])]
    while 0 <= row < rows.state[0]:
        at, row = row, row + 1 if number < 0 else alike.following[number, row]
        if rows.sizes[at] < k or not reaches(rows, at, example, blank):
            continue
        if smallest < 0 or rows.sizes[at] < rows.sizes[smallest]:
            smallest = at
        given = min(left, rows.sizes[at] - k)
        if given > 0:
            taken[2 * n], taken[2 * n + 1] = at, given
            n += 1
            left -= given
            cost += given * blanking_cost(rows, at, blank)
        if left == 0:
            return n, cost
    if smallest < 0:
        return 0, np.inf
    taken[0], taken[1] = smallest, rows.sizes[smallest]
    return 1, rows.sizes[smallest] * blanking_cost(rows, smallest, blank)
