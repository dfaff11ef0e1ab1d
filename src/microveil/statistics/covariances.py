"""Covariances of columns with missing cells, and their square roots."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats

NOTHING = 1e-12
"""Share of the largest eigenvalue below which an eigenvalue counts as zero."""


def deviations(points: Floats) -> Floats:
    """Columns minus their means over present cells; 0 where missing (NaN)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = points - np.nansum(points, axis=0) / (~np.isnan(points)).sum(axis=0)
    centred[np.isnan(centred)] = 0.0
    return np.asarray(centred)


def correlations(centred: Floats, present: NDArray[np.bool_] | None = None) -> Floats:
    """Correlations of centred columns, each pair over the rows present in both.

    Constant columns, and pairs never present together, have correlation 0.

    >>> correlations(np.array([[-1.0, -2.0], [1.0, 2.0]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    # In units in which neither squares nor their products overflow or underflow.
    unit = np.abs(centred).max(axis=0, initial=0.0)
    centred = centred / np.where(unit > 0, unit, 1.0)
    products = centred.T @ centred
    squares = np.broadcast_to(np.diag(products), products.shape).T
    if present is not None and not present.all():
        squares = (centred**2).T @ present
    scale = np.sqrt(squares * squares.T)
    found = np.divide(products, scale, out=np.zeros_like(products), where=scale > 0)
    np.fill_diagonal(found, 1.0)
    return found


def semidefinite(matrix: Floats) -> Floats:
    """The matrix without negative eigenvalues and with its diagonal restored.

    >>> semidefinite(np.array([[1.0, 2.0], [2.0, 1.0]])).round(6).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    eigenvalues, vectors = np.linalg.eigh(matrix)
    if eigenvalues.min(initial=0.0) >= 0:
        return matrix
    mended = (vectors * np.maximum(eigenvalues, 0)) @ vectors.T
    now = np.diag(mended)
    scale = np.sqrt(np.divide(np.diag(matrix), now, out=np.zeros_like(now), where=now > 0))
    return np.asarray(mended * np.outer(scale, scale))


def power(matrix: Floats, exponent: float) -> Floats:
    """A power of a symmetric semi-definite matrix; if negative, of its nonzero part.

    >>> power(np.array([[4.0, 0.0], [0.0, 0.0]]), -0.5).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    eigenvalues, vectors = np.linalg.eigh(matrix)
    real = eigenvalues > NOTHING * eigenvalues.max(initial=0.0)
    powers = np.zeros_like(eigenvalues)
    powers[real] = eigenvalues[real] ** exponent
    return np.asarray((vectors * powers) @ vectors.T)


def with_moments(points: Floats, mean: Floats, covariance: Floats) -> Floats:
    """Change the points as little as possible to have exactly this mean and covariance.

    The linear map is that of optimal transport between normal distributions. Constant and collinear
    columns stay constant and collinear. The points passed in are overwritten.
    """
    scale = np.sqrt(np.diag(covariance))
    scale[scale == 0] = 1.0
    wanted = covariance / np.outer(scale, scale)
    points -= points.mean(axis=0)
    points /= scale
    found = points.T @ points / max(len(points) - 1, 1)
    root = power(wanted, 0.5)
    change = root @ power(root @ found @ root, -0.5) @ root
    changed = np.asarray(points @ (change * scale))
    changed += mean
    return changed
