"""The same searches with NumPy, one sort per set of columns: for a first use, before machine code.

On tables of up to some hundred thousand cells this takes a fraction of the time of compiling the
loops that visit sets depth first.
"""

from collections.abc import Callable, Iterator
from math import comb

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import stood_in_for
from microveil.kernels.uniques.split import Rows

MOST_CELLS = 5_000_000
"""Rows × sets of columns that are sorted: about half a second."""
_LARGEST = 2**62

_Found = tuple[Ints, Floats, Longs, Longs]


def sorted_instead(loop: Callable[..., object], n_rows: int, n_columns: int, max_size: int) -> bool:
    """Whether sorting for each set is quicker than compiling a loop."""
    n_sets = sum(comb(n_columns, size) for size in range(1, max_size + 1))
    return stood_in_for(loop, n_rows * n_sets, MOST_CELLS)


def sets_below(top: int, max_size: int) -> Iterator[tuple[int, ...]]:
    """The sets whose largest column is `top`, largest column first, in the order of the loops.

    >>> list(sets_below(2, 3))
    [(2,), (2, 0), (2, 1), (2, 1, 0)]
    """
    yield (top,)
    if max_size > 1:
        for lower in range(top):
            for rest in sets_below(lower, max_size - 1):
                yield (top, *rest)


def uniques_by_sorting(rows: Rows, max_size: int, weights: Floats | None) -> _Found:
    """Minimal uniques of up to `max_size` columns; a missing cell is no part of one."""
    m, n = rows.codes.shape
    by_size = np.zeros((n, max_size), dtype=np.int32)
    by_column = np.zeros((0 if weights is None else n, m))
    known: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    found: list[tuple[int, int]] = []
    for chosen in (one for top in range(m) for one in sets_below(top, max_size)):
        size = len(chosen)
        unique = np.zeros(n, dtype=np.bool_)
        for skipped in range(size if size > 1 else 0):
            unique |= known[chosen[:skipped] + chosen[skipped + 1 :]]
        complete = (rows.codes[list(chosen)] >= 0).all(axis=0)
        fresh = _alone(rows, chosen, np.flatnonzero(complete & ~unique))
        by_size[fresh, size - 1] += 1
        if weights is not None:
            by_column[np.ix_(fresh, np.array(chosen))] += weights[size - 1]
        unique[fresh] = True
        known[chosen] = unique
        if fresh.size:
            found.append((sum(1 << column for column in chosen), int(rows.records[fresh].sum())))
    sets = np.array(found, dtype=np.int64).reshape(-1, 2)
    return by_size, by_column, sets[:, 0].copy(), sets[:, 1].copy()


def counts_by_sorting(codes: Ints, counts: Longs, top: int, max_size: int) -> Longs:
    """(set, classes, pairs, uniques) of every set whose largest column is `top`."""
    rows = np.arange(codes.shape[1])
    found = []
    for chosen in sets_below(top, max_size):
        order, starts = _classes(codes, chosen, rows)
        records = np.add.reduceat(counts[order], starts) if starts.size else counts[:0]
        pairs = int((records * (records - 1) // 2).sum())
        bits = sum(1 << column for column in chosen)
        found.append((bits, len(records), pairs, int((records == 1).sum())))
    return np.array(found, dtype=np.int64)


def _alone(rows: Rows, chosen: tuple[int, ...], among: Longs) -> Longs:
    """The rows that no row of another owner equals on the chosen columns."""
    order, starts = _classes(rows.codes, chosen, among)
    if not starts.size:
        return order
    owners = rows.owners[order]
    lone = np.minimum.reduceat(owners, starts) == np.maximum.reduceat(owners, starts)
    lone &= owners[starts] >= 0
    found: Longs = order[np.repeat(lone, np.diff(np.append(starts, order.size)))]
    return found


def _classes(codes: Ints, chosen: tuple[int, ...], among: Longs) -> tuple[Longs, Longs]:
    """Rows sorted by the chosen columns, and where each class starts."""
    key, n_keys = np.zeros(among.size, dtype=np.int64), 1
    for column in chosen:
        cells = codes[column, among]
        width = int(cells.max(initial=0)) + 2
        if n_keys * width > _LARGEST:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            n_keys = int(key.max(initial=0)) + 1
        key = key * width + (cells + 1)
        n_keys *= width
    order = np.argsort(key)
    key = key[order]
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])[: key.size])
    return among[order], starts
