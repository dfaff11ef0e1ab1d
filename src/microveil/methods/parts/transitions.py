"""Transition matrices: the probability that one category becomes another, and the inverse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microveil.errors import InputError

Matrix = NDArray[np.float64]
Vector = NDArray[np.float64]
Spread = Literal["evenly", "by_frequency"]

SINGULAR = 1e12
"""A matrix that magnifies errors more than this cannot be inverted."""


def retention_matrix(retention: Vector, shares: Vector, spread: Spread) -> Matrix:
    """Each category is kept with its probability; the others share the rest.

    >>> retention_matrix(np.full(3, 0.8), np.full(3, 1 / 3), "evenly").round(3)[0].tolist()
    [0.8, 0.1, 0.1]
    """
    n = len(retention)
    if n == 1:
        return np.ones((1, 1))
    off = 1 - np.eye(n)
    weights = off * shares if spread == "by_frequency" else off
    total = weights.sum(axis=1, keepdims=True)
    # If no other category occurs, all are equally likely.
    weights = np.where(total > 0, weights, off)
    weights /= weights.sum(axis=1, keepdims=True)
    matrix: Matrix = weights * (1 - retention)[:, None] + np.diag(retention)
    return matrix


def invariant_matrix(matrix: Matrix, shares: Vector) -> Matrix:
    """The matrix followed by its own Bayes inverse, which leaves the shares unchanged.

    Two-stage invariant PRAM (Kooiman, Willenborg & Gouweleeuw 1997).
    """
    joint = shares[:, None] * matrix
    arriving = joint.sum(axis=0)
    reached = arriving > 0
    back = np.eye(len(shares))
    back[reached] = joint.T[reached] / arriving[reached, None]
    both = matrix @ back
    both /= both.sum(axis=1, keepdims=True)
    return both


def soften(matrix: Matrix, alpha: float) -> Matrix:
    """The matrix applied to only a share ``alpha`` of the records."""
    return alpha * matrix + (1 - alpha) * np.eye(len(matrix))


def keep_probability(n_categories: int, epsilon: float) -> float:
    """Probability of the true answer in randomised response: e^ε / (e^ε + k − 1).

    >>> round(keep_probability(2, np.log(3)), 12)
    0.75
    """
    return float(1 / (1 + (n_categories - 1) * np.exp(-epsilon)))


def response_matrix(n_categories: int, epsilon: float) -> Matrix:
    """The transition matrix of randomised response among ``n_categories``.

    >>> response_matrix(2, np.log(3)).round(12).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    keep = keep_probability(n_categories, epsilon)
    matrix = np.full((n_categories, n_categories), keep * np.exp(-epsilon))
    np.fill_diagonal(matrix, keep)
    return matrix


def estimate_frequencies(
    released: ArrayLike,
    *,
    matrix: Sequence[Sequence[float]] | Matrix | None = None,
    epsilon: float | None = None,
) -> Vector:
    """Unbiased estimate of the original frequencies from the released ones.

    ``released`` are counts or shares of the categories, in the order of the ``matrix`` that was
    applied (PRAM reports it in its facts); for randomised response, ``epsilon`` is enough.
    Estimates add up to what was released; by chance they may be negative.

    >>> estimate_frequencies([40, 60], epsilon=np.log(3)).round(6).tolist()
    [30.0, 70.0]
    """
    counts = np.asarray(released, dtype=np.float64)
    n = counts.size
    if (matrix is None) == (epsilon is None):
        raise InputError("Give either the transition matrix or epsilon.")
    if counts.ndim != 1 or not np.isfinite(counts).all():
        raise InputError("Released frequencies must be one list of numbers.")
    if epsilon is not None:
        if not epsilon > 0:
            raise InputError(
                "With an epsilon of 0 the answers reveal nothing about the frequencies."
            )
        keep = keep_probability(n, epsilon)
        other = keep * float(np.exp(-epsilon))
        return counts if n < 2 else (counts - other * counts.sum()) / (keep - other)  # noqa: PLR2004
    transition = np.asarray(matrix, dtype=np.float64)
    if transition.shape != (n, n):
        shape = " × ".join(map(str, transition.shape))
        raise InputError(
            "{n} frequencies need a {n} × {n} transition matrix, not {shape}.", n=n, shape=shape
        )
    if n and np.linalg.cond(transition) > SINGULAR:
        raise InputError("This transition matrix mixes categories beyond recovery: it is singular.")
    original: Vector = np.linalg.solve(transition.T, counts).astype(np.float64, copy=False)
    return original
