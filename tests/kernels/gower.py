"""Queries and candidates of all kinds, with their distances cell by cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microveil.kernels.neighbours.gower_neighbours import Candidates, Queries


def mixed(seed: int, n: int, q: int) -> tuple[Queries, Candidates, NDArray[np.float64]]:
    """Queries and candidates of all kinds, missing cells too, and their distances cell by cell."""
    rng = np.random.default_rng(seed)
    numbers = rng.integers(0, 5, (2, n)) / 4
    asked = rng.integers(0, 5, (q, 2)) / 4
    numbers[rng.random((2, n)) < 0.2] = np.nan
    asked[rng.random((q, 2)) < 0.2] = np.nan
    codes = rng.integers(-1, 3, (2, n)).astype(np.int32)
    asked_codes = rng.integers(-1, 3, (q, 2)).astype(np.int32)
    labels = rng.integers(0, 3, (1, n)).astype(np.int32)
    table = rng.integers(0, 5, (4, 3)) / 4
    rows = rng.integers(0, 4, (q, 1))
    distances = np.zeros((q, n))
    for i in range(q):
        for j in range(n):
            for a, b in zip(asked[i], numbers[:, j], strict=True):
                missing = np.isnan(a), np.isnan(b)
                distances[i, j] += (not all(missing)) if any(missing) else abs(a - b)
            distances[i, j] += (asked_codes[i] != codes[:, j]).sum()
            distances[i, j] += table[rows[i, 0], labels[0, j]]
    queries = Queries(4 * asked, asked_codes, rows * 3, table.ravel())
    return queries, Candidates(4 * numbers, np.full(2, 0.25), codes, labels), distances
