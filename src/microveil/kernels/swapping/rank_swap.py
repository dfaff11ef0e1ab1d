"""Swapping by rank: in disjoint pairs, in a chain, or inside blocks."""

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Words
from microveil.kernels.jit import kernel

Indices = NDArray[np.uint32]


def swap_partners(n: int, reach: int, chances: Floats) -> Ints:
    """For each of n ranks the one it swaps with; itself if no partner is left.

    From the lowest rank up, each one without a partner takes one of those still free among the
    next `reach` ranks: number ⌊chance · free⌋, counted upwards. `chances` are uniform numbers in
    [0, 1), used in order; n // 2 are enough. Time grows with n log n, memory is five bytes per
    rank. Source: Moore (1996).

    >>> swap_partners(5, 2, np.array([0.9, 0.0])).tolist()
    [2, 3, 0, 1, 4]
    """
    if n < 0 or reach < 0 or len(chances) < n // 2:
        raise ValueError(f"{n} ranks need a reach ≥ 0 and {max(n, 0) // 2} chances.")
    return _swap_partners(n, min(reach, n), np.ascontiguousarray(chances, dtype=np.float64))


def swap_window(taken: NDArray[np.bool_], n_choosers: int, reach: int, chances: Floats) -> Ints:
    """The same for a window of the ranks, so that a long table is swapped window by window.

    The first `n_choosers` ranks of the window choose; it must hold the `reach` ranks behind them,
    unless the table ends before. `taken` are the ranks that an earlier window has chosen. The
    partner of a rank is -1 if it is taken or still free.

    >>> swap_window(np.array([True, False, False]), 2, 1, np.zeros(2)).tolist()
    [-1, 2, 1]
    """
    if not 0 <= n_choosers <= len(taken) or reach < 0 or len(chances) < n_choosers:
        raise ValueError(f"{n_choosers} choosers need a reach ≥ 0 and as many chances.")
    floats = np.ascontiguousarray(chances, dtype=np.float64)
    return _swap_window(np.ascontiguousarray(taken), n_choosers, min(reach, len(taken)), floats)


def swap_chain(n: int, reach: int, chances: Floats) -> Ints:
    """For each of n ranks the one whose value it takes when every rank swaps in turn.

    From the lowest rank up, each swaps its current value with one of the next `reach` ranks, which
    may have been swapped before: a value moves down by at most `reach`, but may be carried further
    up. `chances` are n uniform numbers in [0, 1). Time grows with n.

    >>> swap_chain(4, 2, np.array([0.9, 0.0, 0.0, 0.0])).tolist()
    [2, 0, 3, 1]
    """
    if n < 0 or reach < 0 or len(chances) < n:
        raise ValueError(f"{n} ranks need a reach ≥ 0 and as many chances.")
    return _swap_chain(n, min(reach, n), np.ascontiguousarray(chances, dtype=np.float64))


def permute_blocks(n: int, size: int, chances: Floats) -> Ints:
    """For each of n ranks the one whose value it takes: a random order inside blocks of `size`.

    Blocks are consecutive, the last takes the rest; a single leftover rank joins the block before.
    `chances` are n uniform numbers in [0, 1). Time grows with n.

    >>> permute_blocks(5, 2, np.array([0.0, 0.0, 0.0, 0.9, 0.0])).tolist()
    [1, 0, 4, 3, 2]
    """
    if n < 0 or size < 1 or len(chances) < n:
        raise ValueError(f"{n} ranks need blocks of at least one and as many chances.")
    return _permute_blocks(n, size, np.ascontiguousarray(chances, dtype=np.float64))


def write_sources(source: Indices, rows: Ints, partners: Ints) -> None:
    """Write to `source`, for the row of each rank, the row whose value it takes.

    >>> source = np.arange(3, dtype=np.uint32)
    >>> rows = np.array([2, 0], dtype=np.int32)
    >>> write_sources(source, rows, np.array([1, 0], dtype=np.int32))
    >>> source.tolist()
    [2, 1, 0]
    """
    if len(rows) != len(partners):
        raise ValueError(f"{len(rows)} rows do not have {len(partners)} partners.")
    _write_sources(source, rows, partners)


@kernel
def _write_sources(source: Indices, rows: Ints, partners: Ints) -> None:
    for rank in range(rows.size):
        source[rows[rank]] = rows[partners[rank]]


@kernel
def _swap_partners(n: int, reach: int, chances: Floats) -> Ints:
    return _swap_window(np.zeros(n, np.bool_), n, reach, chances)


@kernel
def _swap_window(taken: NDArray[np.bool_], n_choosers: int, reach: int, chances: Floats) -> Ints:
    n = taken.size
    partners = np.full(n, -1, np.int32)
    # Chosen ranks are removed; those that chose stay, since they are known to lie below.
    words = np.full(n // 64 + 1, ~np.uint64(0), np.uint64)
    counts = _full_tree(words.size)
    n_free = 0
    for rank in range(n):
        if taken[rank]:
            _clear(words, counts, rank // 64, rank % 64)
        elif rank < reach:
            n_free += 1
    n_chose = 0
    for rank in range(n_choosers):
        n_free += rank + reach < n and not taken[rank + reach]
        if taken[rank] or partners[rank] >= 0:
            continue
        n_free -= 1  # itself
        if n_free == 0:
            partners[rank] = rank
            continue
        number = min(int(chances[n_chose] * n_free), n_free - 1)
        n_chose += 1
        other = _take(words, counts, n_chose + number)
        partners[rank], partners[other] = other, rank
        n_free -= 1
    return partners


@kernel
def _full_tree(n_words: int) -> Ints:
    """A Fenwick tree over words of 64 ones, as long as the next power of two."""
    size = 1
    while size <= n_words:
        size *= 2
    counts = np.empty(size, np.int32)
    for node in range(size):
        counts[node] = (node & -node) * 64
    return counts


@kernel
def _take(words: Words, counts: Ints, number: int) -> int:
    """Position of the set bit with `number` set bits below it; the bit is then cleared."""
    word, step = 0, counts.size // 2
    while step > 0:
        # Branch-free: a branch here would be unpredictable.
        below = counts[word + step]
        passed = below <= number
        word += step if passed else 0
        number -= below if passed else 0
        step //= 2
    bit = _nth_bit(words[word], number)
    _clear(words, counts, word, bit)
    return word * 64 + bit


@kernel
def _clear(words: Words, counts: Ints, word: int, bit: int) -> None:
    """Clear a set bit."""
    words[word] ^= np.uint64(1) << np.uint64(bit)
    node = word + 1
    while node < counts.size:
        counts[node] -= 1
        node += node & -node


@kernel
def _nth_bit(word: np.uint64, number: int) -> int:
    """Position of the set bit with `number` set bits below it in the word."""
    pairs = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    low, high = pairs, pairs >> np.uint64(2)
    fours = (low & np.uint64(0x3333333333333333)) + (high & np.uint64(0x3333333333333333))
    bytes_ = (fours + (fours >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    bit = 0
    while number >= int((bytes_ >> np.uint64(bit)) & np.uint64(255)):
        number -= int((bytes_ >> np.uint64(bit)) & np.uint64(255))
        bit += 8
    while True:
        number -= int((word >> np.uint64(bit)) & np.uint64(1))
        if number < 0:
            return bit
        bit += 1


@kernel
def _permute_blocks(n: int, size: int, chances: Floats) -> Ints:
    source = np.arange(n).astype(np.int32)
    start = 0
    while start < n:
        stop = start + size
        if stop >= n - 1:
            stop = n
        # Fisher–Yates, from the block's end down.
        for last in range(stop - 1, start, -1):
            other = start + min(int(chances[last] * (last - start + 1)), last - start)
            source[last], source[other] = source[other], source[last]
        start = stop
    return source


@kernel
def _swap_chain(n: int, reach: int, chances: Floats) -> Ints:
    source = np.arange(n).astype(np.int32)
    for rank in range(n):
        ahead = min(reach, n - 1 - rank)
        if ahead > 0:
            other = rank + 1 + min(int(chances[rank] * ahead), ahead - 1)
            source[rank], source[other] = source[other], source[rank]
    return source
