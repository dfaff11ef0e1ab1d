"""Merging classes that fail a requirement with their nearest class."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.recoding.trees import Trees, common_cost
from microveil.kernels.sorting import argsort

_ASKED = 8  # members of a class whose neighbours are considered


class Nearby(NamedTuple):
    """Orders in which similar rows are close to each other."""

    order: Ints  # (orders, rows) row at each position
    place: Ints  # (orders, rows) position of each row


class Merging(NamedTuple):
    """Growing classes; a class has the number of its first row."""

    labels: Ints  # class of each row
    following: Ints  # the next row of the same class, as a circular list
    size: Longs  # records of each class; 0 for unused numbers
    low: Ints  # (classes, keys) smallest code
    high: Ints
    cost: Floats  # cost per record of the class


@kernel
def open_merging(codes: Ints, weights: Longs, labels: Ints, trees: Trees) -> Merging:
    """The state for classes 0..max, whose rows may each stand for several records."""
    n = labels.size
    merging = Merging(
        np.full(n, -1, np.int32),
        np.arange(n).astype(np.int32),
        np.zeros(n, np.int64),
        codes.copy(),
        codes.copy(),
        np.zeros(n),
    )
    first = np.full(labels.max() + 1, -1, np.int32)
    for row in range(n):
        merging.size[row] = weights[row]
        merging.labels[row] = row
        if first[labels[row]] < 0:
            first[labels[row]] = row
        else:
            _join(merging, first[labels[row]], row)
    for row in range(n):
        if merging.size[row] > 0:
            merging.cost[row] = _merged_cost(merging, trees, row, row, np.inf)
    return merging


@kernel
def paid_by_classes(codes: Ints, weights: Longs, labels: Ints, trees: Trees) -> float:
    """Total cost of the records of classes 0..max."""
    merging = open_merging(codes, weights, labels, trees)
    total = 0.0
    for row in range(labels.size):
        total += merging.size[row] * merging.cost[row]
    return total


@kernel
def merge_nearest(merging: Merging, trees: Trees, nearby: Nearby, wanting: Ints, reach: int) -> int:
    """Find the nearest class of each class in `wanting`; merge the cheapest pairs, each class once.

    Returns the number of merges; if there were none, call again with a larger reach.
    """
    prices, partners = np.empty(wanting.size), np.empty(wanting.size, np.int64)
    for i in range(wanting.size):
        prices[i], partners[i] = _nearest(merging, trees, nearby, wanting[i], reach)
    touched = np.zeros(merging.labels.size, np.bool_)
    n_merged = 0
    for i in argsort(prices):
        one, other = wanting[i], partners[i]
        if other < 0 or touched[one] or touched[other]:
            continue
        touched[one] = touched[other] = True
        _join(merging, min(one, other), max(one, other))
        one = min(one, other)
        merging.cost[one] = _merged_cost(merging, trees, one, one, np.inf)
        n_merged += 1
    return n_merged


@kernel
def _merged_cost(merging: Merging, trees: Trees, one: int, other: int, most: float) -> float:
    """Cost per record of two classes merged; any larger number once above `most`."""
    total = 0.0
    for j in range(merging.low.shape[1]):
        low = min(merging.low[one, j], merging.low[other, j])
        high = max(merging.high[one, j], merging.high[other, j])
        total += common_cost(trees, j, low, high)
        if total > most:
            return total
    return total


@kernel
def _nearest(
    merging: Merging, trees: Trees, nearby: Nearby, one: int, reach: int
) -> tuple[float, int]:
    """Cost of merging with the nearest class, and that class; −1 if none is in reach."""
    n = nearby.order.shape[1]
    best, partner = np.inf, -1
    size, paid = merging.size[one], merging.size[one] * merging.cost[one]
    row = one
    for _ in range(_ASKED):
        for o in range(nearby.order.shape[0]):
            place = nearby.place[o, row]
            for p in range(max(place - reach, 0), min(place + reach + 1, n)):
                other = merging.labels[nearby.order[o, p]]
                if other == one or other == partner:  # noqa: PLR1714, SIM109  not known to numba
                    continue
                both = size + merging.size[other]
                before = paid + merging.size[other] * merging.cost[other]
                # Slightly more than the best so far: a partial sum must not look like a tie.
                most = (best + before) / both * (1 + 1e-12)
                price = both * _merged_cost(merging, trees, one, other, most) - before
                if price < best or (price == best and other < partner):
                    best, partner = price, other
        row = merging.following[row]
        if row == one:
            break
    return best, partner


@kernel
def _join(merging: Merging, one: int, other: int) -> None:
    """Merge two classes into one with the number of the first."""
    for j in range(merging.low.shape[1]):
        merging.low[one, j] = min(merging.low[one, j], merging.low[other, j])
        merging.high[one, j] = max(merging.high[one, j], merging.high[other, j])
    merging.size[one] += merging.size[other]
    merging.size[other] = 0
    row = other
    while True:
        merging.labels[row] = one
        row = merging.following[row]
        if row == other:
            break
    # Two circular lists become one when they exchange successors.
    after = merging.following[one]
    merging.following[one], merging.following[other] = merging.following[other], after
