"""Visit every subsequence of up to m points that occurs in some path, depth first.

A piece of a path is found where it ends first, and goes on with whatever comes later (PrefixSpan,
Pei et al. 2001). Where a path is sorted by point, its subsequences are its sub-multisets.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Flags, Ints, Longs
from microveil.kernels.jit import kernel

LEAST, SCORE, MARK = 0, 1, 2


class Index(NamedTuple):
    """Paths one after the other."""

    offsets: Longs
    """Where each path begins, and the last ends."""
    owner: Ints
    """Path of each entry."""
    items: Ints
    """Point of each entry, numbered from 0."""
    first: Longs
    """Entries at which a point occurs first in its path, by point."""
    starts: Longs
    """Where the entries of each point begin among them, and the last end."""


class Found(NamedTuple):
    """What is worked out on the way; only some of it in each mode."""

    least: Longs
    """Fewest paths that share a piece of each path."""
    score: Longs
    """Rare pieces of its path in which each entry is a point."""
    gone: Flags
    """Entries that must go."""


class Stack(NamedTuple):
    """Pieces that are being extended, by their length less one."""

    entry: Longs
    parent: Longs
    bucket: Longs
    counts: Longs
    cursor: Longs
    stamp: Longs
    touched: Ints


class Piece(NamedTuple):
    """A piece of paths: its length less one, and where the paths that share it are listed."""

    depth: int
    low: int
    high: int


class Aim(NamedTuple):
    """What is looked for: pieces of up to m points that fewer than k paths share, or all."""

    m: int
    k: int
    mode: int


def index_paths(offsets: Longs, items: Ints, n_items: int) -> Index:
    """Where each point occurs first in each path."""
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets)).astype(np.int32)
    order = np.argsort(items, kind="stable")
    again = (items[order][1:] == items[order][:-1]) & (owner[order][1:] == owner[order][:-1])
    first = order[np.concatenate([np.ones(min(len(order), 1), dtype=np.bool_), ~again])]
    starts = np.searchsorted(items[first], np.arange(n_items + 1))
    return Index(offsets, owner, items, first.astype(np.int64), starts.astype(np.int64))


def least_support(index: Index, m: int) -> Longs:
    """Fewest paths that share a piece of up to m points of each path; 0 for an empty path.

    >>> paths = index_paths(np.array([0, 2, 4]), np.array([0, 1, 0, 2], dtype=np.int32), 3)
    >>> least_support(paths, 1).tolist()
    [1, 1]
    """
    n_paths, n_entries = len(index.offsets) - 1, len(index.items)
    least = np.where(np.diff(index.offsets) > 0, np.iinfo(np.int64).max, 0)
    none = np.zeros(0, dtype=np.int64)
    found = Found(least, none, np.zeros(0, dtype=np.bool_))
    if n_paths and n_entries:
        _walk(index, _stack(index, m), found, Aim(m, 0, LEAST))
    return least


def rare_points(index: Index, k: int, m: int) -> Flags:
    """Entries without which no piece of up to m points, as it is now, is shared by fewer than k.

    Of each rare piece its path loses the point that is in most of the path's rare pieces, wherever
    it comes later, too. What is left may have become rare: ask again.
    """
    n = len(index.items)
    found = Found(
        np.zeros(0, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.bool_)
    )
    if n:
        for mode in (SCORE, MARK):
            _walk(index, _stack(index, m), found, Aim(m, k, mode))
    return found.gone


def _stack(index: Index, m: int) -> Stack:
    n_entries, n_items = len(index.items), len(index.starts) - 1
    rows = max(m - 1, 1)
    entry = np.zeros((rows, max(n_entries, 1)), dtype=np.int64)
    bucket = np.zeros((rows, n_items + 1), dtype=np.int64)
    entry[0, : len(index.first)] = index.first
    bucket[0] = index.starts
    counts = (m, max(n_items, 1))
    return Stack(
        entry,
        np.zeros_like(entry),
        bucket,
        np.zeros(counts, dtype=np.int64),
        np.zeros(counts, dtype=np.int64),
        np.zeros(counts, dtype=np.int64),
        np.zeros(counts, dtype=np.int32),
    )


@kernel
def _walk(index: Index, stack: Stack, found: Found, aim: Aim) -> None:
    rows = stack.bucket.shape[0]
    n_buckets, at = np.zeros(rows, dtype=np.int64), np.zeros(rows, dtype=np.int64)
    n_buckets[0] = len(index.starts) - 1
    depth, tick = 0, 1
    while depth >= 0:
        if at[depth] == n_buckets[depth]:
            depth -= 1
            continue
        low, high = stack.bucket[depth, at[depth]], stack.bucket[depth, at[depth] + 1]
        at[depth] += 1
        if low == high:
            continue
        piece = Piece(depth, low, high)
        _judge(index, stack, found, aim, piece)
        if depth + 1 == aim.m or high - low < max(aim.k, 2):
            continue
        n_touched = _count_next(index, stack, piece, tick)
        tick += high - low
        if depth + 2 == aim.m:
            _judge_longer(index, stack, found, aim, piece, tick)
        else:
            _spread(index, stack, piece, n_touched, tick)
            n_buckets[depth + 1], at[depth + 1] = n_touched, 0
        tick += high - low
        for one in range(n_touched):
            stack.counts[depth + 1, stack.touched[depth + 1, one]] = 0
        if depth + 2 < aim.m:
            depth += 1


@kernel
def _count_next(index: Index, stack: Stack, piece: Piece, tick: int) -> int:
    """Count by how many paths of a piece each point follows it; the number of such points."""
    n_touched, longer = 0, piece.depth + 1
    for i in range(piece.low, piece.high):
        here = stack.entry[piece.depth, i]
        for later in range(here + 1, index.offsets[index.owner[here] + 1]):
            item = index.items[later]
            if stack.stamp[longer, item] != tick:
                stack.stamp[longer, item] = tick
                if stack.counts[longer, item] == 0:
                    stack.touched[longer, n_touched] = item
                    n_touched += 1
                stack.counts[longer, item] += 1
        tick += 1
    return n_touched


@kernel
def _spread(index: Index, stack: Stack, piece: Piece, n_touched: int, tick: int) -> None:
    """Write down where each longer piece ends first, piece by piece."""
    place, longer = 0, piece.depth + 1
    for one in range(n_touched):
        item = stack.touched[longer, one]
        stack.bucket[longer, one] = place
        stack.cursor[longer, item] = place
        place += stack.counts[longer, item]
    stack.bucket[longer, n_touched] = place
    for i in range(piece.low, piece.high):
        here = stack.entry[piece.depth, i]
        for later in range(here + 1, index.offsets[index.owner[here] + 1]):
            item = index.items[later]
            if stack.stamp[longer, item] != tick:
                stack.stamp[longer, item] = tick
                place = stack.cursor[longer, item]
                stack.entry[longer, place] = later
                stack.parent[longer, place] = i
                stack.cursor[longer, item] = place + 1
        tick += 1


@kernel
def _judge(index: Index, stack: Stack, found: Found, aim: Aim, piece: Piece) -> None:
    """What a piece means for the paths that share it."""
    support, depth = piece.high - piece.low, piece.depth
    for i in range(piece.low, piece.high):
        here = stack.entry[depth, i]
        if aim.mode == LEAST:
            owner = index.owner[here]
            found.least[owner] = min(found.least[owner], support)
        elif support < aim.k:
            _blame(index, stack, found, aim, here, depth - 1, stack.parent[depth, i])


@kernel
def _judge_longer(
    index: Index, stack: Stack, found: Found, aim: Aim, piece: Piece, tick: int
) -> None:
    """What pieces of one point more mean, the longest, which need not be written down."""
    longer = piece.depth + 1
    for i in range(piece.low, piece.high):
        here = stack.entry[piece.depth, i]
        owner = index.owner[here]
        for later in range(here + 1, index.offsets[owner + 1]):
            item = index.items[later]
            if stack.stamp[longer, item] == tick:
                continue
            stack.stamp[longer, item] = tick
            support = stack.counts[longer, item]
            if aim.mode == LEAST:
                found.least[owner] = min(found.least[owner], support)
            elif support < aim.k:
                _blame(index, stack, found, aim, later, piece.depth, i)
        tick += 1


@kernel
def _blame(
    index: Index, stack: Stack, found: Found, aim: Aim, last: int, depth: int, i: int
) -> None:
    """Count a rare piece for each of its points, or remove one of them."""
    best, here, above, up = last, last, depth, i
    while True:
        if aim.mode == SCORE:
            found.score[here] += 1
        elif found.gone[here]:
            return
        elif _is_worse(index, found, here, best):
            best = here
        if above < 0:
            break
        here = stack.entry[above, up]
        up = stack.parent[above, up]
        above -= 1
    if aim.mode == MARK:
        for later in range(best, index.offsets[index.owner[best] + 1]):
            if index.items[later] == index.items[best]:
                found.gone[later] = True


@kernel
def _is_worse(index: Index, found: Found, one: int, other: int) -> bool:
    """Whether a point is in more rare pieces of its path, or else in fewer paths."""
    if found.score[one] != found.score[other]:
        return bool(found.score[one] > found.score[other])
    first, second = index.items[one], index.items[other]
    return bool(
        index.starts[first + 1] - index.starts[first]
        < index.starts[second + 1] - index.starts[second]
    )
