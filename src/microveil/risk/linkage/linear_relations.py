"""Linear relations between the columns of two tables."""

from __future__ import annotations

import numpy as np

from microveil.pairs.numbers import Numbers

NOTHING = 1e-10
"""Singular values below this share of the largest count as zero: collinear columns."""


def centred_units(points: Numbers) -> Numbers:
    """Columns with mean 0 and length 1; constant ones become 0."""
    if not len(points):
        return points
    centred = points - points.mean(axis=0)
    # What remains of a constant after subtracting its mean is rounding error.
    largest = np.maximum(points.max(axis=0, initial=0.0), -points.min(axis=0, initial=0.0))
    length = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    varying = length > largest * len(points) * np.finfo(float).eps
    centred[:, ~varying] = 0.0
    centred /= np.where(varying, length, 1.0)
    return np.asarray(centred)


def basis(points: Numbers) -> Numbers:
    """Orthonormal columns that span the same space as the centred columns."""
    units = centred_units(points)
    if not units.size:
        return np.zeros((len(points), 0))
    left, singular, _ = np.linalg.svd(units, full_matrices=False)
    return np.asarray(left[:, singular > NOTHING * max(float(singular.max()), 1.0)])


def predictions(explaining: Numbers, explained: Numbers, unlearnt: Numbers) -> Numbers:
    """Predict each record's centred ``explained`` columns by regression on the other records.

    A record's own values do not enter its prediction, so that noise predicts nothing however few
    the records. ``unlearnt`` is returned if there are too few other records to learn from.
    """
    span = basis(explaining)
    centred = explained - explained.mean(axis=0)
    fitted = span @ (span.T @ centred)
    # Leaving a record out moves its prediction by its residual times leverage / (1 − leverage).
    freedom = 1 - (span**2).sum(axis=1, keepdims=True)
    learnt = (freedom > NOTHING) & (span.shape[1] < len(explained) - 1)
    away = (centred - fitted) / np.where(learnt, freedom, 1.0)
    return np.asarray(np.where(learnt, centred - away, unlearnt))


def own_predictions(explaining: Numbers, explained: Numbers) -> Numbers:
    """Predict each centred column by regression on its centred counterpart."""
    products = (explaining * explained).sum(axis=0)
    squares = (explaining**2).sum(axis=0)
    slopes = np.divide(products, squares, out=np.zeros_like(products), where=squares > 0)
    return np.asarray(explaining * slopes)


def explained_shares(explaining: Numbers, explained: Numbers) -> Numbers:
    """R² of each column given all of ``explaining``; 0 for constant ones."""
    span = basis(explaining)
    return np.asarray(np.minimum(((span.T @ centred_units(explained)) ** 2).sum(axis=0), 1.0))


def canonical_correlations(first: Numbers, second: Numbers) -> Numbers:
    """Canonical correlations, the strongest first."""
    found = np.linalg.svd(basis(first).T @ basis(second), compute_uv=False)
    return np.asarray(np.clip(found, 0.0, 1.0))
