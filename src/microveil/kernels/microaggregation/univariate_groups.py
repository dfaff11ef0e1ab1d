"""Univariate microaggregation: groups of neighbours in sorted order."""

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.checks import check_values
from microveil.kernels.exact_sums import add_exactly
from microveil.kernels.jit import kernel
from microveil.kernels.microaggregation.optimal_cuts import optimal_cuts
from microveil.kernels.stable_order import stable_order


def fixed_groups(values: Floats, k: int) -> Ints:
    """Group of each value: k neighbours in sorted order form a group, the last takes the rest.

    >>> fixed_groups(np.array([5.0, 1.0, 4.0, 2.0, 3.0]), 2).tolist()
    [1, 0, 1, 0, 1]
    """
    check_values(values, k)
    groups = np.minimum(np.arange(len(values), dtype=np.int32) // k, len(values) // k - 1)
    labels = np.empty(len(values), dtype=np.int32)
    labels[stable_order(values)] = groups
    return labels


def mdav_groups(values: Floats, k: int) -> Ints:
    """Group of each value by MDAV on one column: the partition, numbering and ties of `mdav`.

    The farthest value is always at one end of the remaining values, so sorting is all the work.
    Differs from `mdav` only if distances of unequal values round to the same number.

    >>> mdav_groups(np.array([0.0, 1.0, 10.0, 11.0, 5.0]), 2).tolist()
    [1, 1, 0, 0, 1]
    """
    check_values(values, k)
    values = np.ascontiguousarray(values, dtype=np.float64)
    return _mdav_groups(values, stable_order(values), k)


def optimal_groups(values: Floats, k: int) -> Ints:
    """Group of each value, sizes k..2k−1, with minimal sum of squares (Hansen–Mukherjee 2003).

    Groups are numbered upwards. Time is linear in n after sorting and grows with log k.

    >>> optimal_groups(np.array([1.0, 2.0, 3.0, 50.0, 51.0]), 2).tolist()
    [0, 0, 0, 1, 1]
    """
    check_values(values, k)
    values = np.ascontiguousarray(values, dtype=np.float64)
    order = stable_order(values)
    return _label_cuts(order, optimal_cuts(values[order], k))


@kernel
def _label_cuts(order: Longs, cuts: Ints) -> Ints:
    """Labels from `cuts`: for each position, the first position of the group ending before it."""
    labels = np.empty(order.size, np.int32)
    stop, groups = order.size, 0
    while stop > 0:
        for position in range(cuts[stop], stop):
            labels[order[position]] = groups
        stop = cuts[stop]
        groups += 1
    for i in range(labels.size):
        labels[i] = groups - 1 - labels[i]
    return labels


# The remaining values are a partly used run of equal values at each end and an untouched middle:
# spans[0] = low run, spans[1] = high run, spans[2] = middle, as [start, stop) of sorted positions.
@kernel
def _end_run(values: Floats, order: Longs, spans: Longs, side: int) -> int:
    """Index of the span with the outermost values of a side, refilled from the middle."""
    if spans[side, 0] < spans[side, 1]:
        return side
    start, stop = spans[2, 0], spans[2, 1]
    if start == stop:
        return 1 - side  # both ends have met in one run
    if side == 0:
        edge = start + 1
        while edge < stop and values[order[edge]] == values[order[start]]:
            edge += 1
        spans[0, 0], spans[0, 1], spans[2, 0] = start, edge, edge
    else:
        edge = stop - 1
        while edge > start and values[order[edge - 1]] == values[order[stop - 1]]:
            edge -= 1
        spans[1, 0], spans[1, 1], spans[2, 1] = edge, stop, edge
    return side


@kernel
def _farther_side(values: Floats, order: Longs, spans: Longs, point: float) -> int:
    """The end that lies farther from a point; ties go to the smaller index."""
    low = order[spans[_end_run(values, order, spans, 0), 0]]
    high = order[spans[_end_run(values, order, spans, 1), 0]]
    to_low = (values[low] - point) * (values[low] - point)
    to_high = (values[high] - point) * (values[high] - point)
    if to_low == to_high:
        return 0 if low < high else 1
    return 0 if to_low > to_high else 1


@kernel
def _cut_end(
    values: Floats, order: Longs, spans: Longs, side: int, size: int, sums: Floats, group: Ints
) -> None:
    """Move the outermost `size` records of a side to `group`, the seed first."""
    for member in range(size):
        run = _end_run(values, order, spans, side)
        if member == 0:
            # The seed has the smallest index of its run; the others have the largest.
            group[0] = order[spans[run, 0]]
            spans[run, 0] += 1
        else:
            spans[run, 1] -= 1
            group[member] = order[spans[run, 1]]
        add_exactly(sums[0], sums[1], 0, -values[group[member]])


@kernel
def _mdav_groups(values: Floats, order: Longs, k: int) -> Ints:
    n = values.size
    labels = np.full(n, -1, np.int32)
    spans = np.array([[0, 0], [n, n], [0, n]])
    sums = np.zeros((2, 1))
    for value in values:
        add_exactly(sums[0], sums[1], 0, value)
    group = np.empty(k, np.int32)
    left, label = n, 0
    while left >= 2 * k:
        point = sums[0, 0] / left
        for _ in range(2 if left >= 3 * k else 1):
            side = _farther_side(values, order, spans, point)
            _cut_end(values, order, spans, side, k, sums, group)
            for member in range(k):
                labels[group[member]] = label
            point = values[group[0]]
            label += 1
            left -= k
    labels[labels < 0] = label
    return labels
