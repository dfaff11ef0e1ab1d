"""MDAV on mixed data: Gower's distance, and a centre suited to each kind of column."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel

NUMERIC, ORDINAL, NOMINAL = 0, 1, 2


class Mixed(NamedTuple):
    """Records with columns of mixed kinds.

    Numbers are divided by their range; ordinal and nominal values are codes 0..levels−1.
    """

    values: Floats
    """(n, d), C-contiguous."""
    kinds: Ints
    """Kind of each column: NUMERIC, ORDINAL or NOMINAL."""
    levels: Ints
    """Number of codes of each column; 0 for numbers."""


def gower_mdav(records: Mixed, k: int) -> Ints:
    """Group of each record by MDAV on Gower's distance (1971); sizes k..2k−1.

    The distance between two records is the sum over columns of: the difference of numbers, the
    difference of ordinal codes over levels − 1, and 1 if nominal codes differ. The centre has
    the mean of numbers, the median of ordinal codes (the lower of two), the most frequent nominal
    code (the smallest of several). Ties as in `mdav`: smallest index for the farthest, largest
    index for the nearest. Every round scans the remaining records: time grows like n²·d/k.

    >>> values = np.array([[0.0, 0], [0.0, 0], [1.0, 1], [1.0, 1]])
    >>> kinds, levels = np.array([0, 2], dtype=np.int32), np.array([0, 2], dtype=np.int32)
    >>> gower_mdav(Mixed(values, kinds, levels), 2).tolist()
    [1, 1, 0, 0]
    """
    if len(records.values) < k or k < 1:
        raise ValueError(f"A group needs k = {k} records, there are {len(records.values)}.")
    return _gower_mdav(records, k)


@kernel
def _distance(records: Mixed, one: Floats, other: Floats) -> float:
    total = 0.0
    for j in range(one.size):
        if records.kinds[j] == NOMINAL:
            total += 1.0 if one[j] != other[j] else 0.0
        elif records.kinds[j] == ORDINAL:
            total += abs(one[j] - other[j]) / max(records.levels[j] - 1, 1)
        else:
            total += abs(one[j] - other[j])
    return total


@kernel
def _centre(records: Mixed, live: Longs, n_live: int) -> Floats:
    """The centre of the remaining records, computed for each column by its kind."""
    d = records.kinds.size
    centre = np.zeros(d)
    for j in range(d):
        if records.kinds[j] == NUMERIC:
            for i in range(n_live):
                centre[j] += records.values[live[i], j]
            centre[j] /= n_live
            continue
        counts = np.zeros(records.levels[j], np.int64)
        for i in range(n_live):
            counts[int(records.values[live[i], j])] += 1
        if records.kinds[j] == NOMINAL:
            most = 0
            for code in range(counts.size):
                most = code if counts[code] > counts[most] else most
            centre[j] = most
            continue
        below, code = counts[0], 0
        while 2 * below < n_live:
            code += 1
            below += counts[code]
        centre[j] = code
    return centre


@kernel
def _farthest(records: Mixed, live: Longs, n_live: int, point: Floats) -> int:
    """The remaining record farthest from a point; the first of several."""
    best, winner = -1.0, 0
    for i in range(n_live):
        distance = _distance(records, records.values[live[i]], point)
        if distance > best:
            best, winner = distance, i
    return int(live[winner])


@kernel
def _take_group(
    records: Mixed, live: Longs, n_live: int, seed: int, k: int, labels: Ints, label: int
) -> int:
    """Label a record and its k−1 nearest; return how many records remain."""
    distances = np.empty(n_live)
    for i in range(n_live):
        distances[i] = _distance(records, records.values[live[i]], records.values[seed])
        if live[i] == seed:
            distances[i] = -1.0
    for _ in range(k):
        nearest = -1
        for i in range(n_live):
            if labels[live[i]] < 0 and (nearest < 0 or distances[i] <= distances[nearest]):
                nearest = i
        labels[live[nearest]] = label
    kept = 0
    for i in range(n_live):
        if labels[live[i]] < 0:
            live[kept] = live[i]
            kept += 1
    return kept


@kernel
def _gower_mdav(records: Mixed, k: int) -> Ints:
    n = records.values.shape[0]
    labels = np.full(n, -1, np.int32)
    live = np.arange(n)
    left, label = n, 0
    while left >= 2 * k:
        both = left >= 3 * k
        first = _farthest(records, live, left, _centre(records, live, left))
        left = _take_group(records, live, left, first, k, labels, label)
        label += 1
        if both:
            second = _farthest(records, live, left, records.values[first])
            left = _take_group(records, live, left, second, k, labels, label)
            label += 1
    for i in range(left):
        labels[live[i]] = label
    return labels
