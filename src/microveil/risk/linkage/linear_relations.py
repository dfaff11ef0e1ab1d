"""Linear relations between the columns of two tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats
from microveil.cores import one_thread

NOTHING = 1e-10
"""Singular values below this share of the largest count as zero: collinear columns."""


BLOCK = 8_192
"""Records that are worked on at a time."""


class Scale(NamedTuple):
    """What makes columns have mean 0 and length 1."""

    middle: Floats
    length: Floats
    """Length of the centred column; infinite for a constant one, which becomes 0."""

    @classmethod
    def of(cls, points: Floats) -> Scale:
        """The scale of each column, one after the other."""
        return cls(*np.array([_scale(column) for column in points.T]).reshape(-1, 2).T)

    def units(self, points: Floats) -> Floats:
        """Records in this scale."""
        return np.asarray((points - self.middle) / self.length)


def _scale(column: Floats) -> tuple[float, float]:
    if not len(column):
        return 0.0, np.inf
    middle = float(column.mean())
    centred = column - middle
    length = float(np.sqrt(centred @ centred))
    # What remains of a constant after subtracting its mean is rounding error.
    largest = max(float(column.max()), -float(column.min()), 0.0)
    varying = length > largest * len(column) * np.finfo(float).eps
    return middle, length if varying else np.inf


def centred_units(points: Floats) -> Floats:
    """Columns with mean 0 and length 1; constant ones become 0."""
    return Scale.of(points).units(points)


def coordinates(*tables: Floats) -> tuple[Floats, ...]:
    """The centred unit columns of each table, as vectors of few numbers with the same products.

    The numbers are coordinates in an orthonormal basis of all columns together, so that whatever
    holds of lengths and angles of the columns holds of them, too. The basis is found by QR
    decompositions of blocks of records, and never held.
    """
    widths = np.cumsum([one.shape[1] for one in tables])
    found = np.zeros((0, widths[-1]))
    with one_thread():  # Columns are few: threads would mostly wait for one another.
        scales = [Scale.of(one) for one in tables]
        for start in range(0, len(tables[0]), BLOCK):
            block = slice(start, start + BLOCK)
            units = [scale.units(one[block]) for scale, one in zip(scales, tables, strict=True)]
            found = np.asarray(np.linalg.qr(np.vstack([found, np.hstack(units)]), mode="r"))
    return tuple(np.hsplit(found, widths[:-1]))


def basis(points: Floats) -> Floats:
    """Orthonormal columns that span the same space as the centred columns."""
    return _span(centred_units(points))


def _span(units: Floats) -> Floats:
    """Orthonormal columns that span the same space."""
    if not units.size:
        return np.zeros((len(units), 0))
    left, singular, _ = np.linalg.svd(units, full_matrices=False)
    return np.asarray(left[:, singular > NOTHING * max(float(singular.max()), 1.0)])


def predictions(explaining: Floats, explained: Floats, unlearnt: Floats) -> Floats:
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


def own_predictions(explaining: Floats, explained: Floats) -> Floats:
    """Predict each centred column by regression on its centred counterpart."""
    products = (explaining * explained).sum(axis=0)
    squares = (explaining**2).sum(axis=0)
    slopes = np.divide(products, squares, out=np.zeros_like(products), where=squares > 0)
    return np.asarray(explaining * slopes)


def explained_shares(explaining: Floats, explained: Floats) -> Floats:
    """R² of each column given all of ``explaining``; 0 for constant ones.

    Columns are given by their :func:`coordinates`.
    """
    span = _span(explaining)
    return np.asarray(np.minimum(((span.T @ explained) ** 2).sum(axis=0), 1.0))


def canonical_correlations(first: Floats, second: Floats) -> Floats:
    """Canonical correlations, the strongest first, of columns given by their coordinates."""
    found = np.linalg.svd(_span(first).T @ _span(second), compute_uv=False)
    return np.asarray(np.clip(found, 0.0, 1.0))
