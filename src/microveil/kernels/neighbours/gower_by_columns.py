"""The same neighbours with NumPy, a column at a time: for a first use, before machine code."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from microveil.arrays import Flags, Floats, Longs
from microveil.kernels.jit import stood_in_for
from microveil.kernels.neighbours.distinct_candidates import Candidates, Distinct

if TYPE_CHECKING:
    from microveil.kernels.neighbours.gower_neighbours import Chances, Queries

MOST_CELLS = 600_000_000
"""Cells that are compared: about a second, less than it takes to compile a loop."""


def without_machine_code(
    loop: Callable[..., object], queries: "Queries", *searched: Candidates
) -> bool:
    """Whether NumPy compares the cells before the loop would be compiled."""
    cells = sum(len(one.codes) + len(one.labels) + len(one.numbers) for one in searched) * sum(
        one.codes.shape[1] for one in searched
    )
    return stood_in_for(loop, len(queries.numbers) * cells, MOST_CELLS)


def distances_by_columns(
    queries: "Queries", candidates: Candidates, query: int, farthest: float
) -> Floats:
    """Distances of one query to all candidates, summed in the order of the loop."""
    found = np.zeros(candidates.codes.shape[1])
    for codes, code in zip(candidates.codes, queries.codes[query], strict=True):
        found += codes != code
    for j, numbers in enumerate(candidates.numbers):
        number = queries.numbers[query, j]
        if np.isnan(number):
            found += ~np.isnan(numbers)
            continue
        with np.errstate(over="ignore", invalid="ignore"):  # a loop does not warn either
            apart = np.abs(numbers - number) * candidates.scales[j]
        found += np.where(apart <= farthest, apart, 1.0)
    for j, labels in enumerate(candidates.labels):
        found += queries.tables[queries.rows[query, j] + labels]
    return found


def two_nearest(distances: Floats, counts: Longs, skipped: int) -> tuple[float, float, int]:
    """Distance of the nearest, of the second nearest, and how many are nearest."""
    if skipped >= 0:
        counts = counts.copy()
        counts[skipped] -= 1
        distances = np.where(counts > 0, distances, np.inf)
    best = float(distances.min(initial=np.inf))
    if best == np.inf:
        return np.inf, np.inf, 0
    nearest = distances == best
    n = int(counts[nearest].sum())
    return best, best if n > 1 else float(distances[~nearest].min(initial=np.inf)), n


def mean_chance(distances: Floats, among: Distinct, chances: "Chances", query: int) -> float:
    """Mean probability that the secret of a nearest candidate is the query's."""
    tied = np.flatnonzero((distances == distances.min())[among.groups])
    if chances.secrets.size == 0:
        right = chances.table[chances.rows[query], chances.codes[tied]]
    else:
        secret, guesses = chances.secrets[query], chances.guesses[tied]
        with np.errstate(over="ignore", invalid="ignore"):
            near = np.abs(guesses - secret) <= chances.tolerance * np.abs(secret)
        both_missing = np.isnan(guesses) & np.isnan(secret)
        right = (near | (guesses == secret) | both_missing).astype(np.float64)
    # A running sum adds one after the other, as a loop does; `sum` would add in pairs.
    return float(np.cumsum(right)[-1]) / len(tied)


def nearer_and_tied(distances: Floats, counts: Longs, k: int) -> tuple[Flags, Flags]:
    """Which candidates are nearer than the k-th nearest, and which tie with it."""
    bound = np.partition(distances, min(k, len(distances)) - 1)[min(k, len(distances)) - 1]
    near = np.flatnonzero(distances <= bound)
    near = near[np.argsort(distances[near], kind="stable")]
    place = np.searchsorted(np.cumsum(counts[near]), k)
    limit = distances[near[min(int(place), len(near) - 1)]]
    return distances < limit, distances == limit
