"""Itemsets: how many records share each set of up to m items."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 1 << 23
"""Itemset occurrences held at once, as far as the most frequent item allows."""


class Baskets(NamedTuple):
    """The items of each record: one entry per record and item, sorted by record, then by item."""

    records: NDArray[np.int64]
    items: NDArray[np.int64]
    n_records: int
    n_items: int


class RareSets(NamedTuple):
    """Result of counting."""

    least: int
    """Fewest records that share an occurring set of items; 0 if nobody has items."""
    exposed: NDArray[np.bool_]
    """Records with a set of items that fewer than k records share."""


class _Sets(NamedTuple):
    """Itemset occurrences: the set's number, the entry of its last item, its record's end."""

    numbers: NDArray[np.int64]
    entries: NDArray[np.int64]


def rare_itemsets(baskets: Baskets, k: int, m: int) -> RareSets:
    """Count every set of at most m items that occurs.

    Sets grow item by item (Agrawal & Srikant 1994), each upwards from its smallest item, so that
    blocks of smallest items are counted separately and memory stays bounded. A set held by a single
    record need not grow further, nor does any rare set once some set belongs to a single record:
    larger sets add nothing. Time grows with the number of sets in the records; a record of s items
    has s choose m.
    """
    ends = np.searchsorted(baskets.records, baskets.records, side="right")
    exposed = np.zeros(baskets.n_records, dtype=np.bool_)
    least = baskets.n_records + 1
    for first in _blocks(baskets, ends, m):
        sets = _Sets(baskets.items[first], first)
        for size in range(1, m + 1):
            numbers, support = _support(sets.numbers)
            least = min(least, int(support.min(initial=least)))
            shared = support[numbers]
            exposed[baskets.records[sets.entries[shared < k]]] = True
            if size == m:
                break
            going_on = shared > 1 if least > 1 else shared >= k
            sets = _extend_sets(baskets, ends, numbers[going_on], sets.entries[going_on])
    return RareSets(0 if least > baskets.n_records else least, exposed)


def rare_occurrences(baskets: Baskets, k: int, size: int) -> NDArray[np.int64]:
    """Entries of every occurrence of a set of so many items that fewer than k records share.

    (occurrences, size), the entries of one record in a row. Smaller rare sets are not extended:
    they are found by themselves.
    """
    ends = np.searchsorted(baskets.records, baskets.records, side="right")
    found = [np.empty((0, size), dtype=np.int64)]
    for first in _blocks(baskets, ends, size):
        numbers, entries = baskets.items[first], first[:, None]
        for length in range(1, size + 1):
            numbers, support = _support(numbers)
            shared = support[numbers]
            if length == size:
                found.append(entries[shared < k])
                break
            often = shared >= k
            numbers, entries = _extend_rows(baskets, ends, numbers[often], entries[often])
    return np.concatenate(found)


def _extend_rows(
    baskets: Baskets,
    ends: NDArray[np.int64],
    numbers: NDArray[np.int64],
    entries: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each occurrence, all its entries, with every later item of its record."""
    more = ends[entries[:, -1]] - 1 - entries[:, -1]
    origin = np.repeat(np.arange(len(entries)), more)
    start = np.cumsum(more) - more
    following = entries[origin, -1] + 1 + np.arange(len(origin)) - start[origin]
    keys = numbers[origin] * baskets.n_items + baskets.items[following]
    return keys, np.column_stack([entries[origin], following])


def _blocks(baskets: Baskets, ends: NDArray[np.int64], m: int) -> list[NDArray[np.int64]]:
    """Entries split by item, so that no block starts too many sets."""
    behind = (ends - 1 - np.arange(len(ends))).astype(np.float64)
    weight = np.ones(len(ends))
    for j in range(1, m):
        weight = np.maximum(weight, weight * (behind - j + 1) / j)
    order = np.argsort(baskets.items, kind="stable")
    of_item = np.bincount(baskets.items, weights=weight, minlength=baskets.n_items)
    block = (np.cumsum(of_item) // BLOCK).astype(np.int64)[baskets.items[order]]
    return np.split(order, np.flatnonzero(np.diff(block)) + 1) if len(order) else []


def _support(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sets numbered from 0, and how many records share each; a record holds a set at most once."""
    _, numbers, support = np.unique(keys, return_inverse=True, return_counts=True)
    return numbers, support


def _extend_sets(
    baskets: Baskets,
    ends: NDArray[np.int64],
    numbers: NDArray[np.int64],
    entries: NDArray[np.int64],
) -> _Sets:
    """Each occurrence with every later item of its record."""
    more = ends[entries] - 1 - entries
    origin = np.repeat(np.arange(len(entries)), more)
    start = np.cumsum(more) - more
    following = entries[origin] + 1 + np.arange(len(origin)) - start[origin]
    keys = numbers[origin] * baskets.n_items + baskets.items[following]
    return _Sets(keys, following)
