"""Numbers in bins with round edges, which reveal nothing about single values."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from microveil.tables import kinds

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

N_BINS = 24
"""Approximate number of bins; their width is rounded up to 1, 2 or 5 times a power of ten."""


def numbers_of(column: pl.Series) -> NDArray[np.float64]:
    """The finite numbers of a column; dates and times in their unit."""
    values = kinds.numbers_of(column)
    return values[np.isfinite(values)]


def round_edges(*samples: NDArray[np.float64], n_bins: int = N_BINS) -> NDArray[np.float64]:
    """Edges of equal bins over all samples; whole numbers get bins of whole width.

    >>> round_edges(np.array([0.0, 47.0]), n_bins=5)
    array([ 0., 10., 20., 30., 40., 50.])
    """
    values = np.concatenate(samples)
    if not len(values):
        return np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    width = round_width((high - low) / n_bins)
    if bool((values == np.round(values)).all()):
        width = max(1.0, width)
    first = math.floor(low / width)
    count = max(1, math.floor(high / width) - first + 1)
    return np.asarray((first + np.arange(count + 1)) * width, dtype=np.float64)


def round_width(raw: float) -> float:
    """The next width up that is 1, 2 or 5 times a power of ten.

    >>> round_width(3.2), round_width(0.011), round_width(0)
    (5.0, 0.02, 1.0)
    """
    if not math.isfinite(raw) or raw <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(raw))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= raw * (1 - 1e-9))


def counts_in(values: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.int64]:
    """Number of values in each bin [edge, next edge)."""
    place = np.searchsorted(edges, values, side="right") - 1
    return np.bincount(np.clip(place, 0, len(edges) - 2), minlength=len(edges) - 1)
