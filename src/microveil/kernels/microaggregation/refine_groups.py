"""Lower the within-group sum of squares by local changes until none improves it."""

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.kernels.checks import check_grouping
from microveil.kernels.jit import kernel
from microveil.kernels.microaggregation.group_changes import (
    create_group,
    dissolve_group,
    undo_moves,
)
from microveil.kernels.microaggregation.grouping import (
    Grouping,
    assign,
    close_gap,
    grouping_sse,
    move_record,
    new_grouping,
    price_of_joining,
    price_of_leaving,
    price_of_swap,
    sum_again,
    swap_records,
)
from microveil.kernels.neighbours.nearest import nearest_neighbours


def refine_groups(points: Floats, labels: Ints, k: int, passes: int = 1000) -> Ints:
    """Improve a grouping; SSE never rises, sizes stay within k..2k−1.

    Every record may move to the group of one of its 2k+10 nearest neighbours or swap with a
    member of it; groups may be dissolved, and new ones created from records that others can
    spare. Stops when a pass over all records finds no improvement, or after `passes` passes. A
    pass costs O(n·k); deterministic.

    >>> points = np.array([[0.0], [9.0], [1.0], [10.0]])
    >>> refine_groups(points, np.array([0, 0, 1, 1], dtype=np.int32), 2).tolist()
    [1, 0, 1, 0]
    """
    check_grouping(points, labels, k)
    if len(points) < 2 * k:
        return labels.astype(np.int32)
    centred = centre_columns(points)
    neighbours = nearest_neighbours(centred, neighbourhood(len(points), k))
    grouping = new_grouping(centred, k)
    _refine(grouping, labels.astype(np.int32), k, neighbours, passes)
    return grouping.labels


def centre_columns(points: Floats) -> Floats:
    """Columns with mean zero, so that sums lose no digits to a common offset."""
    points = np.ascontiguousarray(points, dtype=np.float64)
    return np.ascontiguousarray(points - points.mean(axis=0))


def neighbourhood(n: int, k: int) -> int:
    """Number of neighbours whose groups a record considers."""
    return min(2 * k + 10, n - 1)


@kernel
def _improve_record(
    grouping: Grouping, neighbours: Ints, record: int, k: int, least: float, seen: int
) -> bool:
    """Make the best move or swap of one record, if it gains more than rounding error.

    Pairs of groups that have not changed since the record was last `seen` are skipped.
    """
    own = grouping.labels[record]
    own_changed = grouping.changed[own] >= seen
    can_leave = grouping.sizes[own] > k
    leaving = price_of_leaving(grouping, record) if can_leave else 0.0
    best, group, partner, last = least, -1, -1, own
    for other in neighbours[record]:
        candidate = grouping.labels[other]
        if candidate == last:
            continue
        last = candidate
        if candidate == own or not (own_changed or grouping.changed[candidate] >= seen):
            continue
        if can_leave and grouping.sizes[candidate] < 2 * k - 1:
            price = leaving + price_of_joining(grouping, record, candidate)
            if price < best:
                best, group, partner = price, candidate, -1
        for slot in range(grouping.sizes[candidate]):
            member = grouping.members[candidate, slot]
            price = price_of_swap(grouping, record, member)
            if price < best:
                best, group, partner = price, candidate, member
    if group < 0:
        return False
    if partner < 0:
        move_record(grouping, record, group)
    else:
        swap_records(grouping, record, partner)
    return True


@kernel
def _dissolve_groups(grouping: Grouping, neighbours: Ints, k: int, least: float) -> bool:
    journal = np.empty((2 * k, 2), np.int64)
    changed = False
    for group in range(grouping.state[0] - 1, -1, -1):
        price, used = dissolve_group(grouping, neighbours, group, k, journal)
        if price < least:
            close_gap(grouping, group)
            changed = True
        else:
            undo_moves(grouping, journal, used)
    return changed


@kernel
def _create_groups(grouping: Grouping, neighbours: Ints, k: int, least: float) -> bool:
    journal = np.empty((2 * k, 2), np.int64)
    changed = False
    for record in range(grouping.labels.size):
        price, used = create_group(grouping, neighbours, record, k, journal)
        if price < least:
            changed = True
        elif used > 0:
            undo_moves(grouping, journal, used)
            grouping.state[0] -= 1
    return changed


@kernel
def descend(grouping: Grouping, neighbours: Ints, k: int, passes: int) -> None:
    """Apply improvements until a pass over all records finds none."""
    n = grouping.labels.size
    # Gains below the rounding error of a price could alternate for ever.
    least = -1e-11 * (grouping_sse(grouping) / n)
    seen = np.zeros(n, np.int64)
    for _ in range(passes):
        sum_again(grouping)
        changed = False
        for record in range(n):
            grouping.state[1] += 1
            changed |= _improve_record(grouping, neighbours, record, k, least, seen[record])
            seen[record] = grouping.state[1]
        if not changed:
            changed = _dissolve_groups(grouping, neighbours, k, least)
            changed |= _create_groups(grouping, neighbours, k, least)
        if not changed:
            return


@kernel
def _refine(grouping: Grouping, labels: Ints, k: int, neighbours: Ints, passes: int) -> None:
    assign(grouping, labels)
    descend(grouping, neighbours, k, passes)
