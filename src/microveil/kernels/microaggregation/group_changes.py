"""Changes that affect a whole group: dissolving one, creating one."""

import numpy as np

from microveil.arrays import Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.microaggregation.grouping import (
    Grouping,
    move_record,
    price_of_joining,
    price_of_leaving,
)

# A journal lists (record, previous group) for each move, so that moves can be undone.


@kernel
def undo_moves(grouping: Grouping, journal: Longs, used: int) -> None:
    """Undo the first `used` moves of a journal, last one first."""
    for entry in range(used - 1, -1, -1):
        move_record(grouping, journal[entry, 0], journal[entry, 1])


@kernel
def _cheapest_group(
    grouping: Grouping, neighbours: Ints, record: int, largest: int
) -> tuple[int, float]:
    """The cheapest group with room among those of a record's neighbours, except its own."""
    own = grouping.labels[record]
    found, least, last = -1, np.inf, own
    for other in neighbours[record]:
        group = grouping.labels[other]
        if group == last:
            continue
        last = group
        if group == own or grouping.sizes[group] >= largest:
            continue
        price = price_of_joining(grouping, record, group)
        if price < least:
            found, least = group, price
    return found, least


@kernel
def dissolve_group(
    grouping: Grouping, neighbours: Ints, group: int, k: int, journal: Longs
) -> tuple[float, int]:
    """Move every member to its cheapest group; (price, moves), no moves if there is no room."""
    price, used = 0.0, 0
    while grouping.sizes[group] > 0:
        record = grouping.members[group, grouping.sizes[group] - 1]
        found, cost = _cheapest_group(grouping, neighbours, record, 2 * k - 1)
        if found < 0:
            undo_moves(grouping, journal, used)
            return np.inf, 0
        price += price_of_leaving(grouping, record) + cost
        journal[used, 0], journal[used, 1] = record, group
        used += 1
        move_record(grouping, record, found)
    return price, used


@kernel
def create_group(
    grouping: Grouping, neighbours: Ints, seed: int, k: int, journal: Longs
) -> tuple[float, int]:
    """Form a group of a record and the nearest records that their groups can spare."""
    group, price, used = grouping.state[0], 0.0, 0
    if grouping.sizes[grouping.labels[seed]] <= k:
        return np.inf, 0
    for position in range(-1, neighbours.shape[1]):
        record = seed if position < 0 else neighbours[seed, position]
        old = grouping.labels[record]
        if grouping.sizes[old] <= k:
            continue
        price += price_of_leaving(grouping, record) + price_of_joining(grouping, record, group)
        journal[used, 0], journal[used, 1] = record, old
        used += 1
        move_record(grouping, record, group)
        if used == k:
            grouping.state[0] += 1
            return price, used
    undo_moves(grouping, journal, used)
    return np.inf, 0
