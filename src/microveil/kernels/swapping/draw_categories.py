"""Random new categories: from the rows of a transition matrix, or by randomised response.

Plain NumPy: most records keep their category, which takes one comparison to see, so a compiled
loop would save little and numba would have to be loaded for it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats, Longs

PARTS = 64
"""Parts of a row of the matrix from which a category is looked for."""

CodeArray = NDArray[np.int16] | NDArray[np.int32]


class Draws(NamedTuple):
    """A transition matrix prepared for drawing."""

    keep: Floats
    """Probability that each category is kept."""
    bounds: Floats
    """Row by row, where each other category's part of [row, row + 1) ends; none ends after all."""
    parts: Longs
    """Number of bounds up to the beginning of each of ``PARTS`` equal parts of every row; empty if
    there are more categories than parts."""


def ready(matrix: Floats) -> Draws:
    """Prepare a square matrix whose rows are probability distributions.

    >>> ready(np.array([[0.5, 0.5], [0.0, 1.0]])).bounds.tolist()
    [0.0, 1.0, 2.0, 2.0, inf]
    """
    n = len(matrix)
    if matrix.shape != (n, n):
        raise ValueError(f"A transition matrix is square, not of shape {matrix.shape}.")
    keep = np.diagonal(matrix).copy()
    others = np.cumsum(matrix * (1 - np.eye(n)), axis=1)
    # A category that is always kept never draws another one.
    leaves = others[:, -1:] > 0
    keep[~leaves[:, 0]] = 1.0
    parts = np.divide(others, others[:, -1:], out=np.ones_like(others), where=leaves)
    bounds: Floats = parts + np.arange(n, dtype=np.float64)[:, None]
    starts = np.arange(n * PARTS if n <= PARTS else 0) / PARTS
    parts = np.searchsorted(bounds.ravel(), starts, side="right")
    return Draws(keep, np.append(bounds.ravel(), np.inf), parts)


def draw_categories(codes: CodeArray, draws: Draws, chance: Floats) -> CodeArray:
    """Category drawn for each code (below 0: missing, kept), using one number in [0, 1) each.

    The first part of [0, 1) keeps the category; the rest is divided among the others in order.

    >>> draws = ready(np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]))
    >>> codes = np.array([0, 0, 0, 1, 2, -1], dtype=np.int16)
    >>> draw_categories(codes, draws, np.array([0.4, 0.6, 0.8, 0.9, 0.9, 0.9])).tolist()
    [0, 1, 2, 1, 1, -1]
    """
    drawn = codes.copy()
    if not len(draws.keep):
        return drawn
    moves = np.flatnonzero((codes >= 0) & (chance >= draws.keep.take(codes, mode="wrap")))
    rows = codes[moves].astype(np.int64)
    keep = draws.keep[rows]
    place = np.minimum(rows + (chance[moves] - keep) / (1 - keep), np.nextafter(rows + 1.0, 0))
    drawn[moves] = _find(draws, place) - len(draws.keep) * rows
    return drawn


def _find(draws: Draws, place: Floats) -> Longs:
    """Number of bounds up to each place: from its part of [row, row + 1) a step or two away."""
    if not len(draws.parts):
        return np.searchsorted(draws.bounds, place, side="right")
    found = draws.parts[(place * PARTS).astype(np.int64)]
    late = np.flatnonzero(draws.bounds[found] <= place)
    while len(late):
        found[late] += 1
        late = late[draws.bounds[found[late]] <= place[late]]
    return found


def draw_responses(codes: CodeArray, n_categories: int, keep: float, chance: Floats) -> CodeArray:
    """Each code kept with probability `keep`, otherwise one of the others, all equally likely.

    >>> codes = np.array([0, 0, 0, 2, -1], dtype=np.int16)
    >>> draw_responses(codes, 3, 0.5, np.array([0.4, 0.6, 0.8, 0.6, 0.6])).tolist()
    [0, 1, 2, 0, -1]
    """
    drawn = codes.copy()
    if n_categories < 2:  # noqa: PLR2004  a lone category has no other
        return drawn
    moves = np.flatnonzero((codes >= 0) & (chance >= keep))
    step = (chance[moves] - keep) / (1 - keep) * (n_categories - 1)
    step = np.minimum(step.astype(np.int64), n_categories - 2)
    drawn[moves] = (codes[moves] + 1 + step) % n_categories
    return drawn
