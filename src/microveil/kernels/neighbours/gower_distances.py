"""Gower's distance (1971) of one record to many, block by block.

Every column adds a number between 0 and 1. Data are stored by column, so that a column of a block
of candidates is compared with vector instructions.
"""

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Ints, Longs
from microveil.kernels.jit import kernel
from microveil.kernels.neighbours.distinct_candidates import Candidates

FARTHEST = 1.5
"""Above the largest distance between two numbers, 1, rounding included."""
BLOCK = 2048
"""Number of candidates whose distances are summed together: they fit into the L1 cache."""
ALIKE = 128
"""Number of candidates that are left together."""
MIXED = -(2**31)
"""Stands for several codes: no code is so low."""


class Queries(NamedTuple):
    """The records whose neighbours are wanted, row by row."""

    numbers: Floats
    """(q, numbers)."""
    codes: Ints
    """(q, categories)."""
    rows: Longs
    """(q, labelled columns): where the query's distances to each label begin in ``tables``."""
    tables: Floats
    """Distances of values to labels, rows concatenated."""

    def take(self, places: Longs) -> "Queries":
        """Some of the queries."""
        return Queries(self.numbers[places], self.codes[places], self.rows[places], self.tables)


class Blocks(NamedTuple):
    """Candidates that are left together, block by block."""

    leads: Candidates
    """The first of each block."""
    common: Ints
    """(blocks, categories): the code that all of a block share; ``MIXED`` if they share none."""


def lead_blocks(candidates: Candidates) -> Blocks:
    """What blocks of candidates have in common."""
    starts = np.arange(0, candidates.codes.shape[1], ALIKE)
    codes = candidates.codes
    if codes.size:
        low, high = (one.reduceat(codes, starts, axis=1) for one in (np.minimum, np.maximum))
    else:
        low = high = codes[:, starts]
    common = np.where(low == high, low, MIXED).T.astype(np.int32)
    return Blocks(candidates.take(starts), np.ascontiguousarray(common))


@kernel
def fill_distances(queries: Queries, candidates: Candidates, query: int, distances: Floats) -> None:
    """Distances of one query to all candidates."""
    n = distances.size
    for start in range(0, n, BLOCK):
        fill_block(queries, candidates, query, (start, min(start + BLOCK, n)), distances, np.inf)


@kernel
def fill_block(
    queries: Queries,
    candidates: Candidates,
    query: int,
    ends: tuple[int, int],
    distances: Floats,
    limit: float,
) -> bool:
    """Distances of one query to a block of candidates, unless all are farther than a limit."""
    start, stop = ends
    block = distances[start:stop]
    block[:] = 0.0
    for j in range(candidates.codes.shape[0]):
        code = queries.codes[query, j]
        codes = candidates.codes[j, start:stop]
        for i in range(block.size):
            block[i] += 1.0 if codes[i] != code else 0.0
    if _is_beyond(block, limit):
        return False
    for j in range(candidates.numbers.shape[0]):
        numbers, scale = candidates.numbers[j, start:stop], candidates.scales[j]
        _add_number(block, numbers, scale, queries.numbers[query, j])
        if _is_beyond(block, limit):
            return False
    for j in range(candidates.labels.shape[0]):
        row = queries.rows[query, j]
        labels = candidates.labels[j, start:stop]
        for i in range(block.size):
            block[i] += queries.tables[row + labels[i]]
        if _is_beyond(block, limit):
            return False
    return True


@kernel
def _add_number(block: Floats, numbers: Floats, scale: float, number: float) -> None:
    """Add what the query's number is apart from those of the candidates."""
    if np.isnan(number):
        for i in range(block.size):
            block[i] += 0.0 if np.isnan(numbers[i]) else 1.0
        return
    for i in range(block.size):
        apart = abs(numbers[i] - number) * scale
        # No two numbers are farther apart than 1; anything else is missing.
        block[i] += apart if apart <= FARTHEST else 1.0


@kernel
def _is_beyond(block: Floats, limit: float) -> bool:
    """Whether all distances are larger than a limit."""
    for distance in block:  # noqa: SIM110  `all` is not compiled
        if distance <= limit:
            return False
    return True


@kernel
def is_far(queries: Queries, common: Ints, query: int, block: int, limit: float) -> bool:
    """Whether what all of a block have in common puts them farther away than a limit."""
    apart = 0
    for j in range(common.shape[1]):
        code = common[block, j]
        if code != MIXED and code != queries.codes[query, j]:
            apart += 1
    return apart > limit


@kernel
def find_first_block(queries: Queries, leads: Candidates, query: int, near: Floats) -> int:
    """The block to begin with: its first candidate is nearest, so that others can be left."""
    fill_distances(queries, leads, query, near)
    first = 0
    for block in range(near.size):
        if near[block] < near[first]:
            first = block
    return first
