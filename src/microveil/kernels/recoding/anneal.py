"""Lower the cost of the classes of a local recoding by simulated annealing."""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Ints, Words
from microveil.kernels.draws import draw
from microveil.kernels.jit import kernel
from microveil.kernels.lattice.rules import Rules
from microveil.kernels.recoding.changes import Room, create_class, dissolve_class, leave_out
from microveil.kernels.recoding.classes import (
    Parts,
    Recoding,
    move_row,
    open_recoding,
    price_of_joining,
    price_of_leaving,
    price_of_swap,
    total_cost,
)
from microveil.kernels.recoding.merge import Nearby
from microveil.kernels.recoding.requirements import (
    Requirements,
    meets_requirements,
    open_requirements,
)
from microveil.kernels.recoding.trees import Trees

# Temperatures in units of a record's cost for one key that is `*`, all keys weighted equally.
_HOT, _COLD = 0.1, 0.006
_HALF = 0.5
_REACH = 10  # largest distance, in positions of an order, of a neighbour
_DISSOLVE, _CREATE = 0.01, 0.1  # shares of the steps, divided by k


class Aim(NamedTuple):
    """The requirements on classes, and how long to search for better ones."""

    k: int
    steps: int  # number of proposals
    most_left_out: int  # records that may be left out
    price: float  # cost of each of them


@kernel
def _limit(temperature: float, words: Words) -> float:
    """The highest price accepted at this step."""
    return float(-temperature * np.log(1.0 - draw(words)))


@kernel
def _friend(nearby: Nearby, row: int, words: Words) -> tuple[int, int]:
    """A row near another in one of the orders, and that order; near rows are the most likely."""
    o = int(draw(words) * nearby.order.shape[0])
    near = draw(words)
    step = 1 + int(near * near * near * _REACH)
    place = nearby.place[o, row] + (step if draw(words) < _HALF else -step)
    if place < 0 or place >= nearby.order.shape[1]:
        return o, row
    return o, int(nearby.order[o, place])


@kernel
def _member(recoding: Recoding, one: int, most: int, words: Words) -> int:
    """One of the first rows of a class."""
    row = recoding.head[one]
    for _ in range(int(draw(words) * min(recoding.size[one], most))):
        if recoding.following[row] < 0:
            break
        row = recoding.following[row]
    return int(row)


@kernel
def _exchange(
    recoding: Recoding,
    trees: Trees,
    requirements: Requirements,
    row: int,
    other: int,
    limit: float,
    words: Words,
) -> None:
    """Move a row to another class, or swap it with one there, if the price is within the limit."""
    own, k = recoding.labels[row], requirements.k
    if own == other:
        return
    if recoding.size[own] > k:
        price = price_of_leaving(recoding, trees, row)
        price += price_of_joining(recoding, trees, row, other)
        if price <= limit and (
            meets_requirements(recoding, requirements, own, row, -1)
            and meets_requirements(recoding, requirements, other, -1, row)
        ):
            move_row(recoding, trees, row, other)
            return
    partner = _member(recoding, other, 2 * k, words)
    if recoding.weights[partner] > 1:
        return
    if price_of_swap(recoding, trees, row, partner) <= limit and (
        meets_requirements(recoding, requirements, own, row, partner)
        and meets_requirements(recoding, requirements, other, partner, row)
    ):
        move_row(recoding, trees, row, other)
        move_row(recoding, trees, partner, own)


@kernel
def _anneal(
    recoding: Recoding,
    trees: Trees,
    nearby: Nearby,
    requirements: Requirements,
    words: Words,
    steps: int,
) -> None:
    (n, m), k = recoding.codes.shape, requirements.k
    cooling = (_COLD / _HOT) ** (n / max(steps, 1))
    temperature = _HOT / m
    room = Room(
        np.empty(8 * k + 20, np.int32),
        np.empty(8 * k + 20),
        np.zeros(recoding.head.size, np.int32),
    )
    dissolve, create = _DISSOLVE / k, (_DISSOLVE + _CREATE) / k
    for step in range(steps):
        if step % n == 0:
            temperature *= cooling
        row = int(draw(words) * n)
        if recoding.weights[row] > 1:
            continue
        kind, limit = draw(words), _limit(temperature, words)
        if kind < dissolve:
            dissolve_class(recoding, trees, nearby, requirements, recoding.labels[row], limit)
            continue
        o, friend = _friend(nearby, row, words)
        if kind < create:
            pair = (o, row, friend)
            create_class(recoding, trees, nearby, requirements, pair, limit, room)
        else:
            other = recoding.labels[friend]
            _exchange(recoding, trees, requirements, row, other, limit, words)


@kernel
def anneal_recoding(
    parts: Parts,
    labels: Ints,
    trees: Trees,
    nearby: Nearby,
    words: Words,
    aim: Aim,
    rules: Rules,
) -> tuple[Ints, Ints]:
    """Better classes from given ones, and 1 for each part that is better left out.

    Classes are numbered 0..max and have at least k records, before and after. A part of several
    records stays where it is; the others move, swap, and form new classes if the old ones can
    spare them. Classes that meet rules about sensitive values continue to meet them; in that case
    no record may be left out. A step costs about a microsecond, with rules two or three. The
    result is never worse than the input; the same `words` give the same result.
    """
    room = min(parts.weights.size, parts.weights.sum() // aim.k) + aim.most_left_out + 2
    recoding = open_recoding(parts, labels, trees, room, rules.totals.size)
    before = total_cost(recoding)
    requirements = open_requirements(aim.k, rules)
    _anneal(recoding, trees, nearby, requirements, words.copy(), aim.steps)
    if total_cost(recoding) > before:
        recoding = open_recoding(parts, labels, trees, room, rules.totals.size)
    out = leave_out(recoding, trees, aim.k, aim.price, aim.most_left_out)
    return recoding.labels, out
