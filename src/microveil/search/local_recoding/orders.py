"""Orders for local recoding: of levels by cost, and of rows by similarity."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Ints, Longs
from microveil.search.local_recoding.space import RecodingSpace

if TYPE_CHECKING:
    from microveil.kernels.recoding.merge import Nearby

MOST_LEVELS = 20_000
"""Level combinations that are tried; beyond it, levels of about equal cost are skipped."""
WORD = 64


def mean_costs(space: RecodingSpace) -> list[Floats]:
    """For each key, the mean cost of a record at each level."""
    n = max(space.n_records, 1)
    means = []
    for j, key in enumerate(space.keys):
        counts = np.bincount(space.codes[:, j], weights=space.weights, minlength=key.cost.shape[1])
        means.append(space.factors[j] * (key.cost @ counts) / n)
    return means


def levels_by_cost(space: RecodingSpace, power: float, most: int = MOST_LEVELS) -> Ints:
    """Combinations of the keys' levels by Σ costᵖᵒʷᵉʳ, cheapest first.

    Power 1 orders them by mean cost; a higher power prefers many keys that are slightly coarser to
    one that is much coarser. If there are too many combinations, the cheapest are used.
    """
    means = mean_costs(space)
    kept = _thin_levels(means, most)
    costs = [(mean - mean.min())[one] ** power for mean, one in zip(means, kept, strict=True)]
    if np.prod([float(len(one)) for one in kept]) > most:
        steps = _cheapest(costs, most)
    else:
        grids = np.meshgrid(*(np.arange(len(one)) for one in kept), indexing="ij")
        steps = np.stack(grids, axis=-1).reshape(-1, len(kept))
        total = sum(one[steps[:, j]] for j, one in enumerate(costs))
        steps = steps[np.lexsort((*steps.T[::-1], steps.sum(axis=1), total))]
    columns = [one[steps[:, j]] for j, one in enumerate(kept)]
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


def _thin_levels(means: Sequence[Floats], most: int) -> list[Longs]:
    """Levels of each key; if too many, those that cost about as much as the one below are dropped.

    The first and the last level of a key are kept.
    """
    kept = [np.arange(len(mean)) for mean in means]
    while np.prod([float(len(one)) for one in kept]) > most:
        steps = [np.diff(mean[one])[:-1] for mean, one in zip(means, kept, strict=True)]
        least = int(np.argmin([step.min(initial=np.inf) for step in steps]))
        if not len(steps[least]):
            break
        kept[least] = np.delete(kept[least], int(np.argmin(steps[least])) + 1)
    return kept


def _cheapest(costs: Sequence[Floats], most: int) -> Longs:
    """The combinations of entries, one from each list, with the smallest sums, smallest first."""
    start = (0,) * len(costs)
    queue = [(0.0, start)]
    seen, found = {start}, list[tuple[int, ...]]()
    while queue and len(found) < most:
        total, steps = heapq.heappop(queue)
        found.append(steps)
        for j, one in enumerate(costs):
            at = steps[j]
            following = (*steps[:j], at + 1, *steps[j + 1 :])
            if at + 1 < len(one) and following not in seen:
                seen.add(following)
                heapq.heappush(queue, (total + float(one[at + 1] - one[at]), following))
    return np.array(found)


def orders_by_likeness(
    codes: Ints, space: RecodingSpace, n_orders: int, rng: np.random.Generator
) -> Nearby:
    """Orders of rows in which similar rows are close to each other.

    A row's position depends on the labels of its keys, from coarse to fine. The priority of the
    keys is drawn anew for each order, mostly with the more costly labels first.
    """
    from microveil.kernels.recoding.merge import Nearby

    splits = [_splits(space, j) for j in range(len(space.keys))]
    order = np.empty((n_orders, len(codes)), dtype=np.int32)
    place = np.empty_like(order)
    for one in range(n_orders):
        order[one] = np.argsort(_words(codes, splits, rng), kind="stable")
        place[one, order[one]] = np.arange(len(codes))
    return Nearby(order, place)


Split = tuple[float, int, NDArray[np.uint64]]
"""Value of distinguishing the labels of a level, the bits it takes, and those of each code."""


def _splits(space: RecodingSpace, j: int) -> list[Split]:
    """The steps from the top of a key's tree down to its values."""
    key, splits = space.keys[j], []
    codes = np.arange(key.first.shape[1])
    for level in range(len(key.first) - 2, -1, -1):
        number = np.cumsum(key.first[level] == codes)
        child = number - number[key.first[level + 1]]
        width = int(child.max(initial=0)).bit_length()
        worth = float((key.cost[level + 1] - key.cost[level]).mean()) * space.factors[j]
        if width:
            splits.append((worth, width, child.astype(np.uint64)))
    return splits


def _words(
    codes: Ints, splits: Sequence[Sequence[Split]], rng: np.random.Generator
) -> NDArray[np.uint64]:
    """A number for each row whose leading bits encode what is worth most."""
    turns: list[tuple[float, int, Split]] = []
    for j, of_key in enumerate(splits):
        turn = np.inf
        for split in of_key:
            turn = min(turn, split[0] * float(rng.gamma(1.0)))
            turns.append((-turn, j, split))
    words = np.zeros(len(codes), dtype=np.uint64)
    n_bits = 0
    for _, j, (_, width, child) in sorted(turns, key=lambda one: one[:2]):
        if n_bits + width > WORD:
            break
        words = (words << np.uint64(width)) | child[codes[:, j]]
        n_bits += width
    return words
