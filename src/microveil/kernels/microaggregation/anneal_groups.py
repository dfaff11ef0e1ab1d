"""Lower the within-group sum of squares by simulated annealing, beyond a local minimum."""

from contextlib import nullcontext

import numpy as np

from microveil.arrays import Floats, Ints, Longs, Words
from microveil.kernels.checks import check_grouping
from microveil.kernels.draws import draw
from microveil.kernels.interpretation import ROUNDS
from microveil.kernels.jit import always_compiled, kernel
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
from microveil.kernels.microaggregation.refine_groups import (
    centre_columns,
    descend,
    neighbourhood,
)
from microveil.kernels.neighbours.nearest import nearest_neighbours

# Temperatures in units of the mean squared distance of a record to its group mean. The hot end is
# high because a few outliers carry most of the loss of skewed data.
_HOT, _COLD = 30.0, 3e-4
_DISSOLVE_SHARE, _CREATE_SHARE, _MOVE_SHARE, _LONELY_SHARE = 0.01, 0.02, 0.5, 0.3


def anneal_groups(points: Floats, labels: Ints, k: int, words: Words, steps: int) -> Ints:
    """Better groups by annealing and a final descent; never worse than `refine_groups`.

    `steps` proposals (swap, move, dissolve, create among near neighbours) cost about 0.2 µs each.
    `words` seeds the random numbers, which are too many to pass in; the same words give the same
    result.

    >>> points = np.array([[0.0], [9.0], [1.0], [10.0]])
    >>> word = np.array([7], dtype=np.uint64)
    >>> anneal_groups(points, np.array([0, 0, 1, 1], dtype=np.int32), 2, word, 100).tolist()
    [1, 0, 1, 0]
    """
    check_grouping(points, labels, k)
    if len(points) < 2 * k:
        return labels.astype(np.int32)
    centred = centre_columns(points)
    neighbours = nearest_neighbours(centred, neighbourhood(len(points), k))
    lonely, start = _loneliest_first(centred, neighbours), labels.astype(np.int32)
    plain, annealed = new_grouping(centred, k), new_grouping(centred, k)
    # Plain Python would give up after a second: as many steps are not worth the attempt.
    with always_compiled() if steps > ROUNDS else nullcontext():
        better = _anneal(plain, annealed, start, neighbours, lonely, words.copy(), steps)
    return annealed.labels if better else plain.labels


@kernel
def _accepts(price: float, temperature: float, words: Words) -> bool:
    if price <= 0.0:
        return True
    return price < 30.0 * temperature and draw(words) < np.exp(-price / temperature)


def _loneliest_first(points: Floats, neighbours: Ints) -> Longs:
    """Records by falling distance to the last of their near neighbours."""
    distances = np.zeros(len(points))
    for column in points.T:
        apart = column - column[neighbours[:, -1]]
        distances -= apart * apart
    return np.argsort(distances, kind="stable")


@kernel
def _pick(lonely: Longs, words: Words) -> int:
    """A record at random, or one of log-uniform rank in isolation, so that outliers are tried."""
    n = lonely.size
    if draw(words) < _LONELY_SHARE:
        return int(lonely[min(int(float(n) ** draw(words)), n) - 1])
    return int(draw(words) * n)


@kernel
def _try_dissolving(
    grouping: Grouping, neighbours: Ints, group: int, k: int, temperature: float, words: Words
) -> None:
    journal = np.empty((2 * k, 2), np.int64)
    price, used = dissolve_group(grouping, neighbours, group, k, journal)
    if used > 0 and _accepts(price, temperature, words):
        close_gap(grouping, group)
    else:
        undo_moves(grouping, journal, used)


@kernel
def _try_creating(
    grouping: Grouping, neighbours: Ints, seed: int, k: int, temperature: float, words: Words
) -> None:
    journal = np.empty((2 * k, 2), np.int64)
    price, used = create_group(grouping, neighbours, seed, k, journal)
    if used > 0 and not _accepts(price, temperature, words):
        undo_moves(grouping, journal, used)
        grouping.state[0] -= 1


@kernel
def _try_exchanging(
    grouping: Grouping, neighbours: Ints, record: int, k: int, temperature: float, words: Words
) -> None:
    """Propose to move a record to a neighbour's group, or to swap it with a member there."""
    near = draw(words)  # squared: near neighbours are tried more often
    friend = neighbours[record, int(near * near * neighbours.shape[1])]
    own, group = grouping.labels[record], grouping.labels[friend]
    if own == group:
        return
    fits = grouping.sizes[own] > k and grouping.sizes[group] < 2 * k - 1
    if fits and draw(words) < _MOVE_SHARE:
        price = price_of_leaving(grouping, record) + price_of_joining(grouping, record, group)
        if _accepts(price, temperature, words):
            move_record(grouping, record, group)
        return
    partner = grouping.members[group, int(draw(words) * grouping.sizes[group])]
    if _accepts(price_of_swap(grouping, record, partner), temperature, words):
        swap_records(grouping, record, partner)


@kernel
def _anneal(
    plain: Grouping,
    grouping: Grouping,
    labels: Ints,
    neighbours: Ints,
    lonely: Longs,
    words: Words,
    steps: int,
) -> bool:
    """Improve one grouping by descent, then another by annealing; whether that is better."""
    n, k = labels.size, (plain.members.shape[1] + 1) // 2
    assign(plain, labels)
    descend(plain, neighbours, k, 1000)
    assign(grouping, plain.labels)
    temperature = _HOT * grouping_sse(grouping) / n
    cooling = (_COLD / _HOT) ** (n / max(steps, 1))
    for step in range(steps):
        if step % n == 0:
            temperature *= cooling
            sum_again(grouping)
        record = _pick(lonely, words)
        kind = draw(words)
        if kind < _DISSOLVE_SHARE:
            group = grouping.labels[record]
            _try_dissolving(grouping, neighbours, group, k, temperature, words)
        elif kind < _DISSOLVE_SHARE + _CREATE_SHARE:
            _try_creating(grouping, neighbours, record, k, temperature, words)
        else:
            _try_exchanging(grouping, neighbours, record, k, temperature, words)
    sum_again(grouping)
    descend(grouping, neighbours, k, 1000)
    sum_again(plain)
    return grouping_sse(grouping) < grouping_sse(plain)
