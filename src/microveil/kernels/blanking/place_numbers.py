"""Numbers of the rows that rare rows can become, found on all cores.

Pairs of a rare row and a mask are dealt out by a hash of the blanked row, so that equal ones
meet in one part, and each part has a table of its own. Places are numbered in the order in which
pairs first name them, which does not depend on the parts.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.cores import blocks_of, map_on_cores
from microveil.kernels.blanking.packed_rows import packed_row, slot_of
from microveil.kernels.jit import kernel

PAIRS = 1 << 18
"""Pairs of a part, about; fewer of them stay on one thread."""
MOST_PARTS = 64
BLOCK = 1 << 13
"""Rows whose pairs are packed at a time."""


class Pairs(NamedTuple):
    """Rare rows × masks, numbered row by row, in parts."""

    n_masks: int
    order: Ints
    """Pairs by part, in their order."""
    packed: Longs
    """The packed row that each of these stands for."""
    start: Longs
    """(parts + 1) where each part starts among them."""


class Tables(NamedTuple):
    """Tables of packed rows, one for each part, one after the other."""

    keys: Longs
    owner: Ints  # the first pair of that row, −1 in a free slot
    start: Longs  # (parts + 1)


class Numbers(NamedTuple):
    """Places, and what is known of each pair."""

    place: Ints
    """Place of each pair; −1 for none, or one that its row has already."""
    blank: Longs
    """Blank cells of each place."""
    pairs: Pairs
    tables: Tables
    number: Ints
    """Place of each pair that names it first."""


def number_places(
    codes: Ints, rare: Longs, missing: Longs, masks: Longs, factors: Longs
) -> Numbers:
    """Number the rows that rare rows become with the cells of a mask blank; the first mask is 0.

    Without a blank cell a row is no place: none but itself can become that.
    """
    pairs = _deal_out(codes, rare, masks, factors)
    tables = _open_tables(pairs)
    n, n_parts = len(pairs.order), len(pairs.start) - 1
    first = np.empty(n, dtype=np.int32)
    owned = missing[rare]
    map_on_cores(lambda part: _find_firsts(pairs, tables, part, owned, first), range(n_parts))
    blocks = blocks_of(len(rare), BLOCK)
    named = map_on_cores(lambda rows: _count_firsts(first, masks.size, *rows), blocks)
    before = np.concatenate([[0], np.cumsum(named, dtype=np.int64)])
    blank, number = np.empty(before[-1], dtype=np.int64), np.empty(n, dtype=np.int32)

    def number_them(at: int) -> None:
        begin, end = blocks[at]
        _number_firsts(first, owned[begin:end], masks, begin, (int(before[at]), number, blank))

    map_on_cores(number_them, range(len(blocks)))
    map_on_cores(lambda rows: _name_all(first, number, masks.size, *rows), blocks)
    return Numbers(first, blank, pairs, tables, number)


def rows_of_places(numbers: Numbers, rare: Longs) -> tuple[Ints, Longs]:
    """Rare rows by place, and where each place starts among them."""
    n_places, parts = len(numbers.blank), range(len(numbers.pairs.start) - 1)
    start = np.zeros(n_places + 1, dtype=np.int64)
    map_on_cores(lambda part: _count_rows(numbers.pairs, numbers.place, part, start), parts)
    np.cumsum(start, out=start)
    rows = np.empty(start[-1], dtype=np.int32)
    filled = start[:-1].copy()
    map_on_cores(
        lambda part: _fill_rows(numbers.pairs, numbers.place, part, rare, filled, rows), parts
    )
    return rows, start


def rows_at_places(numbers: Numbers, codes: Ints, rows: Longs, factors: Longs) -> Longs:
    """Which of these distinct rows each place is, or −1."""
    found = np.full(len(numbers.blank), -1, dtype=np.int64)
    tables, number = numbers.tables, numbers.number
    map_on_cores(
        lambda at: _look_up(codes, rows[slice(*at)], factors, tables, number, found),
        blocks_of(len(rows), BLOCK),
    )
    return found


def _deal_out(codes: Ints, rare: Longs, masks: Longs, factors: Longs) -> Pairs:
    n = rare.size * masks.size
    n_parts = min(1 << (n // PAIRS).bit_length(), MOST_PARTS)
    packed, blocks = np.empty(n, dtype=np.int64), blocks_of(len(rare), BLOCK)

    def pack(at: tuple[int, int]) -> Longs:
        mine = slice(at[0] * masks.size, at[1] * masks.size)
        return _pack(codes, rare[slice(*at)], masks, factors, n_parts, packed[mine])

    counts = np.array(map_on_cores(pack, blocks)).reshape(len(blocks), n_parts)
    start = np.concatenate([[0], np.cumsum(counts.sum(axis=0))])
    begin = start[:-1] + np.cumsum(counts, axis=0) - counts
    pairs = Pairs(masks.size, np.empty(n, np.int32), np.empty(n, np.int64), start)
    map_on_cores(lambda at: _arrange(packed, *blocks[at], begin[at], pairs), range(len(blocks)))
    return pairs


def _open_tables(pairs: Pairs) -> Tables:
    sizes = [1 << int(1.5 * n + 1).bit_length() for n in np.diff(pairs.start).tolist()]
    start = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    return Tables(np.empty(start[-1], dtype=np.int64), np.empty(start[-1], dtype=np.int32), start)


@kernel
def _part_of(packed: int, n_parts: int) -> int:
    # Not the bits that choose the slot within a part.
    return slot_of(packed, n_parts << 32) >> 32


@kernel
def _pack(
    codes: Ints, rows: Longs, masks: Longs, factors: Longs, n_parts: int, packed: Longs
) -> Longs:
    """Pack the pairs of some rows, and count them by part."""
    counts = np.zeros(n_parts, np.int64)
    for i in range(rows.size):
        for j in range(masks.size):
            value = packed_row(codes, rows[i], masks[j], factors)
            packed[i * masks.size + j] = value
            counts[_part_of(value, n_parts)] += 1
    return counts


@kernel
def _arrange(packed: Longs, begin: int, end: int, place: Longs, pairs: Pairs) -> None:
    """Write the pairs of some rows to their parts; `place` is where each part goes on."""
    for pair in range(begin * pairs.n_masks, end * pairs.n_masks):
        part = _part_of(packed[pair], place.size)
        pairs.order[place[part]], pairs.packed[place[part]] = pair, packed[pair]
        place[part] += 1


@kernel
def _slot(packed: int, tables: Tables, part: int) -> int:
    """The slot of a packed row, or the free slot for it."""
    begin, n_slots = tables.start[part], tables.start[part + 1] - tables.start[part]
    slot = slot_of(packed, n_slots)
    while tables.owner[begin + slot] >= 0 and tables.keys[begin + slot] != packed:
        slot = (slot + 1) & (n_slots - 1)
    return int(begin + slot)


@kernel
def _find_firsts(pairs: Pairs, tables: Tables, part: int, owned: Longs, first: Ints) -> None:
    """The first pair with the same packed row, for the pairs of a part; −1 for a repeat."""
    n_masks = pairs.n_masks
    begin, end = tables.start[part], tables.start[part + 1]
    tables.owner[begin:end] = -1
    last = np.full(end - begin, -1, np.int32)
    for at in range(pairs.start[part], pairs.start[part + 1]):
        pair = pairs.order[at]
        row = pair // n_masks
        if owned[row] == 0 and pair == row * n_masks:
            first[pair] = -1
            continue
        slot = _slot(pairs.packed[at], tables, part)
        if tables.owner[slot] < 0:
            tables.keys[slot], tables.owner[slot] = pairs.packed[at], pair
        first[pair] = -1 if last[slot - begin] == row else tables.owner[slot]
        last[slot - begin] = row


@kernel
def _count_firsts(first: Ints, n_masks: int, begin: int, end: int) -> int:
    n = 0
    for pair in range(begin * n_masks, end * n_masks):
        n += first[pair] == pair
    return n


@kernel
def _number_firsts(
    first: Ints, owned: Longs, masks: Longs, begin: int, numbers: tuple[int, Ints, Longs]
) -> None:
    """Number the pairs of some rows that are the first of a place: the next number, and where."""
    n, number, blank = numbers
    for i in range(owned.size):
        for j in range(masks.size):
            pair = (begin + i) * masks.size + j
            if first[pair] == pair:
                number[pair] = n
                blank[n] = masks[j] | owned[i]
                n += 1


@kernel
def _name_all(first: Ints, number: Ints, n_masks: int, begin: int, end: int) -> None:
    """Put the place of each pair where the first pair of it is."""
    for pair in range(begin * n_masks, end * n_masks):
        if first[pair] >= 0:
            first[pair] = number[first[pair]]


@kernel
def _count_rows(pairs: Pairs, place: Ints, part: int, start: Longs) -> None:
    for at in range(pairs.start[part], pairs.start[part + 1]):
        if place[pairs.order[at]] >= 0:
            start[place[pairs.order[at]] + 1] += 1


@kernel
def _fill_rows(
    pairs: Pairs, place: Ints, part: int, rare: Longs, filled: Longs, rows: Ints
) -> None:
    for at in range(pairs.start[part], pairs.start[part + 1]):
        pair = pairs.order[at]
        if place[pair] >= 0:
            rows[filled[place[pair]]] = rare[pair // pairs.n_masks]
            filled[place[pair]] += 1


@kernel
def _look_up(
    codes: Ints, rows: Longs, factors: Longs, tables: Tables, number: Ints, found: Longs
) -> None:
    n_parts = tables.start.size - 1
    for row in rows:
        packed = packed_row(codes, row, 0, factors)
        slot = _slot(packed, tables, _part_of(packed, n_parts))
        if tables.owner[slot] >= 0:
            found[number[tables.owner[slot]]] = row
