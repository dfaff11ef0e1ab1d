"""The record farthest from a slowly moving centre, without scanning all records each time.

A shell lists the outermost records, sorted by distance to the centre at the time of listing (the
anchor). No record is farther from the current centre than its listed distance plus the drift of
the centre, so a read stops early. The shell is rebuilt when it has been read to its end or when
reading has cost as much as listing.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.kd_search import leaf_distances
from microveil.kernels.neighbours.kd_tree import LEAF, KdTree
from microveil.kernels.sorting import argsort, sort_integers

# Listed distances and drift are rounded; the bound is widened by far more than that error.
_SLACK = 1.0 + 1e-10
_BINS = 1024


class Shell(NamedTuple):
    """Outermost records, farthest first; records not listed are closer than `inside`."""

    distances: Floats
    records: Ints
    rows: Floats
    twins: Ints  # end of the run of equal rows, which are sorted by index
    anchor: Floats
    inside: float
    state: Longs  # [first entry that may be live, entries read since listing]


@kernel
def _all_distances(tree: KdTree, centre: Floats, n_live: int) -> Floats:
    lane = np.empty(LEAF)
    found = np.empty(n_live)
    count = 0
    for leaf in range(tree.filled.size):
        leaf_distances(tree, leaf, centre, lane)
        for slot in range(tree.filled[leaf]):
            found[count] = np.sqrt(lane[slot])
            count += 1
    return found


@kernel
def _cut_off(distances: Floats, wanted: int) -> float:
    """A distance that at least `wanted` entries reach, clearly below the largest distance."""
    largest = 0.0
    for distance in distances:
        largest = max(largest, distance)
    width = largest / _BINS
    if width == 0.0:
        return -np.inf
    counts = np.zeros(_BINS + 1, np.int64)
    for distance in distances:
        counts[min(int(distance / width), _BINS)] += 1
    bin_ = _BINS - 1
    total = counts[_BINS] + counts[bin_]
    while total < wanted and bin_ > 0:
        bin_ -= 1
        total += counts[bin_]
    return bin_ * width if bin_ > 0 else -np.inf


@kernel
def _equal(rows: Floats, one: int, other: int) -> bool:
    equal = True
    for j in range(rows.shape[1]):
        equal = equal and rows[one, j] == rows[other, j]
    return equal


@kernel
def _mark_twins(records: Ints, rows: Floats) -> Ints:
    """Sort the records within each run of equal rows; return the end of each entry's run."""
    n = records.size
    over = np.empty(n, np.int32)
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and _equal(rows, stop, start):
            stop += 1
        if stop - start > 1:
            sort_integers(records[start:stop])
        for i in range(start, stop):
            over[i] = stop
        start = stop
    return over


@kernel
def list_shell(points: Floats, tree: KdTree, centre: Floats, n_live: int) -> Shell:
    """List the outermost sixteenth of the live records around a centre."""
    distances = _all_distances(tree, centre, n_live)
    inside = _cut_off(distances, n_live // 16 + 1)
    size = 0
    for distance in distances:
        size += 1 if distance >= inside else 0
    listed = np.empty(size)
    found = np.empty(size, np.int32)
    count, position = 0, 0
    for leaf in range(tree.filled.size):
        for slot in range(tree.filled[leaf]):
            if distances[position] >= inside:
                listed[count] = -distances[position]
                found[count] = tree.records[leaf, slot]
                count += 1
            position += 1
    order = argsort(listed)
    far, records = np.empty(size), np.empty(size, np.int32)
    rows = np.empty((size, points.shape[1]))
    for place in range(size):
        far[place] = -listed[order[place]]
        records[place] = found[order[place]]
        for j in range(points.shape[1]):
            rows[place, j] = points[records[place], j]
    twins = _mark_twins(records, rows)
    return Shell(far, records, rows, twins, centre.copy(), inside, np.zeros(2, np.int64))


@kernel
def _drift(shell: Shell, centre: Floats) -> float:
    total = 0.0
    for j in range(centre.size):
        difference = centre[j] - shell.anchor[j]
        total += difference * difference
    return float(np.sqrt(total))


@kernel
def read_shell(shell: Shell, tree: KdTree, centre: Floats) -> int:
    """The farthest live record (ties: smallest index), or −1 if the shell is not deep enough."""
    drift = _drift(shell, centre)
    best, reach, found = -1.0, -1.0, -1
    position = shell.state[0]
    while position < shell.records.size and shell.records[position] < 0:
        position += 1
    shell.state[0] = position
    while position < shell.records.size:
        if (shell.distances[position] + drift) * _SLACK < reach:
            break
        record = shell.records[position]
        shell.state[1] += 1
        if record >= 0 and tree.where[record] < 0:
            shell.records[position] = -1
        if shell.records[position] < 0:
            position += 1
        else:
            distance = 0.0
            for j in range(centre.size):
                difference = shell.rows[position, j] - centre[j]
                distance += difference * difference
            if distance > best or (distance == best and record < found):
                best, found, reach = distance, record, np.sqrt(distance)
            position = shell.twins[position]
    if position == shell.records.size and (shell.inside + drift) * _SLACK >= reach:
        return -1
    return found
