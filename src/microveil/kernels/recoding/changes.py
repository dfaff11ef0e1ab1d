"""Larger changes of classes: dissolving one, creating one, placing a row where it costs least."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints
from microveil.kernels.jit import kernel
from microveil.kernels.recoding.classes import (
    Recoding,
    close_gap,
    look_again,
    move_row,
    price_of_joining,
    price_of_leaving,
    send_row,
)
from microveil.kernels.recoding.merge import Nearby
from microveil.kernels.recoding.requirements import Requirements, meets_requirements
from microveil.kernels.recoding.trees import Trees, common_cost
from microveil.kernels.sorting import argsort

_NEAR = 2  # positions on both sides of a row whose classes it may join
_MISSES = 10  # consecutive rows that do not fit before a search gives up
_ROUNDS = 20  # passes over all rows in search of those better left out


@kernel
def rows_of_class(recoding: Recoding, one: int) -> Ints:
    """The rows of a class; none if one of them cannot move."""
    count, row = 0, recoding.head[one]
    while row >= 0:
        if recoding.weights[row] > 1:
            return np.empty(0, np.int32)
        count += 1
        row = recoding.following[row]
    rows = np.empty(count, np.int32)
    row = recoding.head[one]
    for i in range(count):
        rows[i] = row
        row = recoding.following[row]
    return rows


@kernel
def cheapest_class(
    recoding: Recoding, trees: Trees, nearby: Nearby, row: int, without: int
) -> tuple[float, int]:
    """The nearby class that a row joins at the lowest price, one class excepted; −1 if none."""
    n = nearby.order.shape[1]
    best, target, last = np.inf, -1, without
    for o in range(nearby.order.shape[0]):
        place = nearby.place[o, row]
        for p in range(max(place - _NEAR, 0), min(place + _NEAR + 1, n)):
            other = recoding.labels[nearby.order[o, p]]
            if other == without or other == last:  # noqa: PLR1714, SIM109  not known to numba
                continue
            last = other
            price = price_of_joining(recoding, trees, row, other)
            if price < best:
                best, target = price, other
    return best, target


@kernel
def dissolve_class(
    recoding: Recoding,
    trees: Trees,
    nearby: Nearby,
    requirements: Requirements,
    one: int,
    limit: float,
) -> bool:
    """Move the rows of a class to other classes if the total price is within the limit."""
    rows = rows_of_class(recoding, one)
    price = -recoding.size[one] * recoding.cost[one] if rows.size else np.inf
    placed = 0
    for row in rows:
        best, target = cheapest_class(recoding, trees, nearby, row, one)
        if target < 0 or not meets_requirements(recoding, requirements, target, -1, row):
            price = np.inf
            break
        price += best
        send_row(recoding, trees, row, target)
        placed += 1
    if price <= limit:
        recoding.cost[one] = 0.0
        close_gap(recoding, one)
        return True
    for i in range(placed):
        move_row(recoding, trees, rows[i], one)
    if placed:
        look_again(recoding, trees, one)
    return False


class Room(NamedTuple):
    """Scratch space."""

    found: Ints
    gains: Floats
    taken: Ints  # (classes,) zeros


@kernel
def _fitting_rows(
    recoding: Recoding,
    trees: Trees,
    nearby: Nearby,
    pair: tuple[int, int, int],
    k: int,
    room: Room,
) -> int:
    """Rows near a pair in one order that fit the pair's common labels and can be spared."""
    o, seed, friend = pair
    m, n = recoding.codes.shape[1], nearby.order.shape[1]
    places, firsts = np.empty(m, np.int64), np.empty(m, np.int32)
    cost = 0.0
    for j in range(m):
        a, b = recoding.codes[seed, j], recoding.codes[friend, j]
        places[j] = trees.start[j]
        while trees.first[places[j] + a] != trees.first[places[j] + b]:
            places[j] += trees.n_codes[j]
        firsts[j] = trees.first[places[j] + a]
        cost += common_cost(trees, j, min(a, b), max(a, b))
    count, half = 0, room.found.size // 2
    for side in range(2):
        misses, p, step = 0, nearby.place[o, seed] - (1 - side), 2 * side - 1
        while 0 <= p < n and misses < _MISSES + k // 2 and count < (side + 1) * half:
            row = nearby.order[o, p]
            p += step
            misses += 1
            fits = True
            for j in range(m):
                if trees.first[places[j] + recoding.codes[row, j]] != firsts[j]:
                    fits = False
                    break
            if not fits:
                continue
            misses = 0
            one = recoding.labels[row]
            if recoding.weights[row] == 1 and recoding.size[one] > k:
                room.found[count], room.gains[count] = row, cost - recoding.cost[one]
                count += 1
    return count


@kernel
def _chosen_rows(recoding: Recoding, found: Ints, gains: Floats, k: int, taken: Ints) -> Ints:
    """The rows that gain by leaving their class, and as many more as a class needs."""
    chosen = np.empty(found.size, np.int32)
    count = 0
    for i in argsort(gains):
        if gains[i] >= 0.0 and count >= k:
            break
        one = recoding.labels[found[i]]
        if recoding.size[one] - taken[one] > k:
            taken[one] += 1
            chosen[count] = found[i]
            count += 1
    for i in range(count):
        taken[recoding.labels[chosen[i]]] = 0
    return chosen[:count]


@kernel
def create_class(
    recoding: Recoding,
    trees: Trees,
    nearby: Nearby,
    requirements: Requirements,
    pair: tuple[int, int, int],
    limit: float,
    room: Room,
) -> bool:
    """Form a class of rows that fit a pair's common labels if the price is within the limit."""
    k = requirements.k
    count = _fitting_rows(recoding, trees, nearby, pair, k, room)
    if count < k:
        return False
    rows = _chosen_rows(recoding, room.found[:count], room.gains[:count], k, room.taken)
    if rows.size < k:
        return False
    new, price = recoding.state[0], 0.0
    before = np.empty(rows.size, np.int32)
    recoding.state[0] += 1
    for i in range(rows.size):
        before[i] = recoding.labels[rows[i]]
        price += price_of_leaving(recoding, trees, rows[i])
        move_row(recoding, trees, rows[i], new)
    if price + recoding.size[new] * recoding.cost[new] <= limit:
        kept = meets_requirements(recoding, requirements, new, -1, -1)
        for one in before:
            kept = kept and meets_requirements(recoding, requirements, int(one), -1, -1)
        if kept:
            return True
    for i in range(rows.size - 1, -1, -1):
        move_row(recoding, trees, rows[i], before[i])
    recoding.state[0] -= 1
    return False


@kernel
def leave_out(recoding: Recoding, trees: Trees, k: int, price: float, most: int) -> Ints:
    """Leave out rows, at a price per record, if the rest of their class gains more than that.

    At most `most` records, the largest gains first; 1 for each row left out.
    """
    n = recoding.labels.size
    out = np.zeros(n, np.int32)
    gains = np.empty(n)
    for _ in range(_ROUNDS):
        if most <= 0:
            return out
        for row in range(n):
            gains[row] = _gain_without(recoding, trees, row, k, price) if not out[row] else 0.0
        n_gone = 0
        for row in argsort(gains):
            if gains[row] >= 0.0 or most <= 0:
                break
            # The class may have changed in the meantime.
            if _gain_without(recoding, trees, row, k, price) >= 0.0:
                continue
            out[row] = 1
            _leave(recoding, trees, row)
            most -= 1
            n_gone += 1
        if n_gone == 0:
            return out
    return out


@kernel
def _gain_without(recoding: Recoding, trees: Trees, row: int, k: int, price: float) -> float:
    one = recoding.labels[row]
    if recoding.weights[row] > 1 or recoding.size[one] <= k:
        return 0.0
    return price_of_leaving(recoding, trees, row) + price


@kernel
def _leave(recoding: Recoding, trees: Trees, row: int) -> None:
    """Put a row into a class of its own, numbered after all others."""
    move_row(recoding, trees, row, recoding.state[0])
    recoding.state[0] += 1
