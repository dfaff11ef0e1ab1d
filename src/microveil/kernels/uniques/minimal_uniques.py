"""Minimal sample uniques: minimal sets of columns on which a row is unique (SUDA)."""

from math import comb
from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs, Words
from microveil.kernels.column_sets import MOST_COLUMNS, double_rows, next_set, set_bits
from microveil.kernels.jit import kernel
from microveil.kernels.uniques.by_sorting import sorted_instead, uniques_by_sorting
from microveil.kernels.uniques.split import Level, Rows, Split, open_split, split_classes
from microveil.kernels.uniques.wildcards import index_incomplete

MOST_SETS = 1 << 24
"""Largest number of sets of columns that can be stored."""
MOST_BYTES = 1 << 30
"""Memory for the bits that say which rows are unique on which set."""

__all__ = ["MinimalUniques", "Rows", "minimal_uniques"]


class MinimalUniques(NamedTuple):
    """What the search found."""

    by_size: Ints
    """(rows, sizes): minimal uniques of each row, by their number of columns from 1 on."""
    by_column: Floats
    """(rows, columns): summed weights of those that contain a column; no rows if not requested."""
    sets: Longs
    """Sets of columns that are minimal uniques of some row, as bits,"""
    n_records: Longs
    """and of how many records."""


class _Sets(NamedTuple):
    """Numbers of the sets, and who is unique on them."""

    binomials: Longs
    offsets: Longs
    slots: Ints  # place of a set's bits; −1 if unknown, or if no row is left to distinguish
    levels_members: Ints
    levels_starts: Ints
    levels_n: Longs


class _Search(NamedTuple):
    """Everything that a branch of the search reads and writes."""

    split: Split
    sets: _Sets
    by_size: Ints
    by_column: Floats
    weights: Floats


def minimal_uniques(
    rows: Rows, max_size: int, *, wildcard: bool = False, weights: Floats | None = None
) -> MinimalUniques:
    """Find every minimal unique of up to `max_size` columns of every row.

    A row is unique on a set of columns if no row of another owner has the same cells there, and
    minimal if it is unique on no proper subset. A missing cell is never part of a unique; it hides
    no other row, or, as a `wildcard`, every row it could be equal to. `weights` (one per size)
    requests `by_column`.

    Sets are visited depth first, subsets before the set itself, and classes are split column by
    column: a row that is unique, or a class in which none can become so, is not examined again
    further down. Uniqueness on subsets takes one bit per row and set. Time grows with rows × sets
    in the worst case; besides the bits, memory holds two numbers per row and level. Raises
    MemoryError if the bits would take more than `MOST_BYTES`.

    >>> codes = np.array([[0, 0, 1], [0, 1, 1]], dtype=np.int32)
    >>> rows = Rows(codes, np.arange(3, dtype=np.int32), np.ones(3, dtype=np.int64))
    >>> found = minimal_uniques(rows, 2)
    >>> found.by_size.tolist(), found.sets.tolist()
    ([[1, 0], [0, 1], [1, 0]], [1, 2, 3])
    """
    m, n = rows.codes.shape
    max_size = min(max_size, m)
    hiding = wildcard and bool((rows.codes < 0).any())
    if max_size > 0 and not hiding and sorted_instead(_branch, n, m, max_size):
        return MinimalUniques(*uniques_by_sorting(rows, max_size, weights))
    search = _open(rows, max_size, wildcard=wildcard, weights=weights)
    found: list[tuple[Longs, Longs]] = []
    bits = np.zeros((2, (n + 63) // 64), dtype=np.uint64)
    n_used = 1
    for top in range(m if n else 0):
        bits, n_used, sets, n_records = _branch(search, top, max_size, bits, n_used, MOST_BYTES)
        if n_used < 0:
            raise MemoryError(f"The search for uniques needs over {MOST_BYTES:,} bytes.")
        found.append((sets, n_records))
    nothing = np.zeros(0, dtype=np.int64)
    return MinimalUniques(
        search.by_size,
        search.by_column,
        np.concatenate([nothing, *(sets for sets, _ in found)]),
        np.concatenate([nothing, *(records for _, records in found)]),
    )


def _open(rows: Rows, max_size: int, *, wildcard: bool, weights: Floats | None) -> _Search:
    codes = np.ascontiguousarray(rows.codes, dtype=np.int32)
    m, n = codes.shape
    if m > MOST_COLUMNS or max_size < 1 or not len(rows.owners) == len(rows.records) == n:
        raise ValueError(f"{m} columns, {n} rows, {len(rows.owners)} owners, sets of {max_size}.")
    binomials = np.array([[comb(c, k) for k in range(max_size + 1)] for c in range(m + 1)])
    offsets = np.concatenate([[0], np.cumsum(binomials[m])]).astype(np.int64)
    n_stored = int(offsets[max_size])
    if n_stored > MOST_SETS:
        raise MemoryError(f"{n_stored - 1:,} sets of columns are too many.")
    members = np.zeros((max_size + 1, n), dtype=np.int32)
    members[0] = np.arange(n)
    starts = np.zeros((max_size + 1, n + 1), dtype=np.int32)
    starts[0, 1:] = n
    n_classes = np.zeros((max_size + 1, 1), dtype=np.int64)
    n_classes[0] = 1
    slots = np.full(n_stored, -1, dtype=np.int32)
    return _Search(
        open_split(
            Rows(codes, rows.owners.astype(np.int32), rows.records.astype(np.int64)),
            wildcard=wildcard,
        ),
        _Sets(binomials.astype(np.int64), offsets, slots, members, starts, n_classes),
        np.zeros((n, max_size), dtype=np.int32),
        np.zeros((0 if weights is None else n, m)),
        np.zeros(max_size) if weights is None else weights,
    )


@kernel
def _number(sets: _Sets, path: Longs, depth: int, skipped: int) -> int:
    """Number of the set on the path without one of its columns; smaller sets come first."""
    left = depth if skipped < 0 else depth - 1
    number = sets.offsets[left]
    for place in range(depth):
        if place != skipped:
            number += sets.binomials[path[place], left]
            left -= 1
    return int(number)


@kernel
def _inherit(sets: _Sets, path: Longs, depth: int, bits: Words, target: int) -> bool:
    """Mark the rows that are unique on a subset; false if no other row is left."""
    # Word by word: array operations take seconds to compile.
    for word in range(bits.shape[1]):
        bits[target, word] = 0
    if depth == 1:
        return True
    for skipped in range(depth):
        if sets.slots[_number(sets, path, depth, skipped)] < 0:
            return False
    for skipped in range(depth):
        subset = sets.slots[_number(sets, path, depth, skipped)]
        for word in range(bits.shape[1]):
            bits[target, word] |= bits[subset, word]
    return True


@kernel
def _credit(search: _Search, path: Longs, depth: int, n_fresh: int) -> int:
    """Credit the set to the rows of which it is a minimal unique; return their records."""
    n_records = 0
    for i in range(n_fresh):
        row = search.split.tally.fresh[i]
        n_records += search.split.rows.records[row]
        search.by_size[row, depth - 1] += 1
        if search.by_column.shape[0] > 0:
            for place in range(depth):
                search.by_column[row, path[place]] += search.weights[depth - 1]
    return n_records


@kernel
def _level(sets: _Sets, depth: int) -> Level:
    return Level(sets.levels_members[depth], sets.levels_starts[depth], sets.levels_n[depth])


@kernel
def _visit(search: _Search, path: Longs, depth: int, bits: Words, last: bool) -> int:  # noqa: FBT001  compiled: no keywords
    """Split the classes above by the last column; records of which the set is a minimal unique."""
    chosen = set_bits(path, depth)
    if search.split.incomplete.rows.size > 0:
        index_incomplete(
            search.split.rows.codes, search.split.rows.owners, search.split.incomplete, chosen
        )
    before, after = _level(search.sets, depth - 1), _level(search.sets, depth)
    n_fresh = split_classes(search.split, path[depth - 1], before, after, bits, chosen, last)
    return _credit(search, path, depth, n_fresh)


@kernel
def _branch(
    search: _Search, top: int, max_size: int, bits: Words, n_used: int, most_bytes: int
) -> tuple[Words, int, Longs, Longs]:
    """Visit all sets whose largest column is `top`, each after its subsets."""
    found = np.zeros((16, 2), np.int64)
    n_found = 0
    path = np.zeros(max_size + 1, np.int64)
    path[0] = top
    depth = 1
    while depth > 0:
        last = depth == max_size
        # Sets of the largest size are no subset of others: their bits share the first place.
        target = 0 if last else n_used
        if target >= bits.shape[0]:
            if 2 * bits.size * 8 > most_bytes:
                return bits, -1, found[:0, 0], found[:0, 1]
            bits = double_rows(bits)
        going_on = _inherit(search.sets, path, depth, bits, target)
        if going_on:
            if n_found == found.shape[0]:
                found = double_rows(found)
            found[n_found, 0] = set_bits(path, depth)
            found[n_found, 1] = _visit(search, path, depth, bits[target], last)
            n_found += 1 if found[n_found, 1] > 0 else 0
            going_on = not last and search.sets.levels_n[depth, 0] > 0
        if going_on:
            search.sets.slots[_number(search.sets, path, depth, -1)] = target
            n_used += 1
        depth = next_set(path, depth, top, going_on)
    return bits, n_used, found[:n_found, 0], found[:n_found, 1]
