"""Small tables with known answers."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.tabulation.system import System


def grid_system(inner: Floats) -> System:
    """The system of a two-way table with its margins, row by row, margins last."""
    n, m = inner.shape
    full = np.zeros((n + 1, m + 1))
    full[:n, :m] = inner
    full[n, :m], full[:n, m], full[n, m] = inner.sum(0), inner.sum(1), inner.sum()
    cells = np.arange(full.size).reshape(full.shape)
    totals = [int(cells[i, m]) for i in range(n + 1)] + [int(cells[n, j]) for j in range(m + 1)]
    parts = [cells[i, :m].tolist() for i in range(n + 1)]
    parts += [cells[:n, j].tolist() for j in range(m + 1)]
    return System.of(full.ravel(), totals, parts)


TRAP = np.array(
    [[30, 47, 64, 89], [90, 124, 5, 31], [92, 100, 59, 85], [800, 991, 651, 685]], dtype=float
)
"""A table that looks safe: each line has two suppressions, and yet one cell follows exactly."""
TRAP_HIDDEN = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (2, 3), (3, 1), (3, 3)]


def people(counts: Mapping[Any, int], names: list[str]) -> pl.DataFrame:
    """One row per person of a table of counts."""
    rows = [codes for codes, n in counts.items() for _ in range(n)]
    return pl.DataFrame(rows, schema=names, orient="row")


def random_people(rng: np.random.Generator, sizes: tuple[int, ...], most: int) -> pl.DataFrame:
    """People in a random table with small counts."""
    names = [f"v{number}" for number in range(len(sizes))]
    codes = product(*([chr(97 + code) for code in range(size)] for size in sizes))
    counts = {one: int(rng.integers(0, most + 1)) for one in codes}
    first = next(iter(counts))
    return people(counts | {first: counts[first] + 1}, names)
