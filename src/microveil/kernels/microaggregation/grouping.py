"""A grouping that can be changed record by record, with the price of each change.

Prices are changes in the sum of squared distances to the group means (SSE); negative is better.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel


class Grouping(NamedTuple):
    """The assignment of records to groups, with room for one more group of fewer than k records."""

    points: Floats
    labels: Ints
    slots: Ints  # position of a record among the members of its group
    members: Ints  # (groups, 2k−1)
    sizes: Longs
    sums: Floats  # (groups, columns)
    changed: Longs  # when a group last changed
    state: Longs  # [groups in use, the clock of `changed`]


def new_grouping(points: Floats, k: int) -> Grouping:
    """Room for a grouping; every group has k..2k−1 records.

    Arrays are made here and not in loops, where each kind of array takes time to compile.
    """
    n, d = points.shape
    most = n // k + 1
    return Grouping(
        points,
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros((most, 2 * k - 1), np.int32),
        np.zeros(most, np.int64),
        np.zeros((most, d)),
        np.zeros(most, np.int64),
        np.zeros(2, np.int64),
    )


def open_grouping(points: Floats, labels: Ints, k: int) -> Grouping:
    """The grouping given by labels."""
    grouping = new_grouping(points, k)
    assign(grouping, labels)
    return grouping


@kernel
def assign(grouping: Grouping, labels: Ints) -> None:
    """Put each record into the group of its label, in order."""
    for group in range(grouping.sizes.size):
        grouping.sizes[group] = grouping.changed[group] = 0
    last = 0
    for record in range(labels.size):
        group = labels[record]
        last = max(last, group)
        grouping.labels[record] = group
        grouping.slots[record] = grouping.sizes[group]
        grouping.members[group, grouping.sizes[group]] = record
        grouping.sizes[group] += 1
    grouping.state[0], grouping.state[1] = last + 1, 1
    sum_again(grouping)


@kernel
def sum_again(grouping: Grouping) -> None:
    """Recompute the sums, which accumulate rounding errors as records move."""
    for group in range(grouping.sums.shape[0]):
        for j in range(grouping.sums.shape[1]):
            grouping.sums[group, j] = 0.0
    for record in range(grouping.labels.size):
        for j in range(grouping.points.shape[1]):
            grouping.sums[grouping.labels[record], j] += grouping.points[record, j]


@kernel
def grouping_sse(grouping: Grouping) -> float:
    """The sum of squared distances to the group means, computed afresh."""
    total = 0.0
    for record in range(grouping.labels.size):
        group = grouping.labels[record]
        for j in range(grouping.points.shape[1]):
            mean = grouping.sums[group, j] / grouping.sizes[group]
            apart = grouping.points[record, j] - mean
            total += apart * apart
    return total


@kernel
def distance_to_mean(grouping: Grouping, record: int, group: int) -> float:
    """Squared distance of a record to the mean of a non-empty group."""
    share = 1.0 / grouping.sizes[group]
    total = 0.0
    for j in range(grouping.points.shape[1]):
        difference = grouping.points[record, j] - grouping.sums[group, j] * share
        total += difference * difference
    return total


@kernel
def price_of_leaving(grouping: Grouping, record: int) -> float:
    """Change in SSE when a record leaves its group."""
    group = grouping.labels[record]
    size = grouping.sizes[group]
    if size == 1:
        return 0.0
    return -distance_to_mean(grouping, record, group) * float(size / (size - 1.0))


@kernel
def price_of_joining(grouping: Grouping, record: int, group: int) -> float:
    """Change in SSE when a record without a group joins one."""
    size = grouping.sizes[group]
    if size == 0:
        return 0.0
    return distance_to_mean(grouping, record, group) * float(size / (size + 1.0))


@kernel
def price_of_swap(grouping: Grouping, first: int, second: int) -> float:
    """Change in SSE when two records of different groups are swapped."""
    a, b = grouping.labels[first], grouping.labels[second]
    share_a, share_b = 1.0 / grouping.sizes[a], 1.0 / grouping.sizes[b]
    along, square = 0.0, 0.0
    for j in range(grouping.points.shape[1]):
        step = grouping.points[second, j] - grouping.points[first, j]
        along += step * (grouping.sums[a, j] * share_a - grouping.sums[b, j] * share_b)
        square += step * step
    return float(-2.0 * along - square * (share_a + share_b))


@kernel
def move_record(grouping: Grouping, record: int, group: int) -> None:
    """Move a record to another group."""
    old = grouping.labels[record]
    slot = grouping.slots[record]
    grouping.sizes[old] -= 1
    last = grouping.members[old, grouping.sizes[old]]
    grouping.members[old, slot] = last
    grouping.slots[last] = slot
    grouping.slots[record] = grouping.sizes[group]
    grouping.members[group, grouping.sizes[group]] = record
    grouping.sizes[group] += 1
    grouping.labels[record] = group
    grouping.changed[old] = grouping.changed[group] = grouping.state[1]
    for j in range(grouping.points.shape[1]):
        grouping.sums[old, j] -= grouping.points[record, j]
        grouping.sums[group, j] += grouping.points[record, j]


@kernel
def swap_records(grouping: Grouping, first: int, second: int) -> None:
    """Swap two records of different groups."""
    a, b = grouping.labels[first], grouping.labels[second]
    slot_a, slot_b = grouping.slots[first], grouping.slots[second]
    grouping.members[a, slot_a], grouping.members[b, slot_b] = second, first
    grouping.slots[first], grouping.slots[second] = slot_b, slot_a
    grouping.labels[first], grouping.labels[second] = b, a
    grouping.changed[a] = grouping.changed[b] = grouping.state[1]
    for j in range(grouping.points.shape[1]):
        step = grouping.points[second, j] - grouping.points[first, j]
        grouping.sums[a, j] += step
        grouping.sums[b, j] -= step


@kernel
def close_gap(grouping: Grouping, group: int) -> None:
    """Renumber the last group to fill the place of an emptied one."""
    last = grouping.state[0] - 1
    grouping.state[0] = last
    if group == last:
        return
    grouping.changed[group] = grouping.state[1]
    grouping.sizes[group] = grouping.sizes[last]
    grouping.sizes[last] = 0
    for slot in range(grouping.sizes[group]):
        grouping.members[group, slot] = grouping.members[last, slot]
        grouping.labels[grouping.members[group, slot]] = group
    for j in range(grouping.points.shape[1]):
        grouping.sums[group, j] = grouping.sums[last, j]
        grouping.sums[last, j] = 0.0
