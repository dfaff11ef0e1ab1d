"""Released intervals spread over the numbers they leave possible, instead of their midpoints."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from microveil.labels.notation import read_span
from microveil.tables.values import as_text

if TYPE_CHECKING:
    from numpy.typing import NDArray


def spread_counts(
    labels: pl.Series, edges: NDArray[np.float64], *, whole: bool
) -> NDArray[np.float64] | None:
    """Records of each bin; those of an interval are spread evenly over it.

    None if some label is neither a number nor an interval. An interval that is open at one end
    extends to the end of the axis; ``whole`` says that only whole numbers are meant, so that
    [20, 29] fills the bins from 20 up to 30.

    >>> spread_counts(pl.Series(["[0, 20)"] * 4), np.array([0.0, 10, 20]), whole=True).tolist()
    [2.0, 2.0]
    """
    counts = as_text(labels).drop_nulls().value_counts(name="n")
    total = np.zeros(len(edges) - 1)
    for label, n in counts.iter_rows():
        span = read_span(label)
        if span is None:
            return None
        if math.isinf(span.low) and math.isinf(span.high):
            continue  # everything is possible: no place of its own
        low, high = (span.whole().low, span.whole().high + 1) if whole else (span.low, span.high)
        total += n * shares_of_bins(max(low, edges[0]), min(high, edges[-1]), edges)
    return total


def shares_of_bins(low: float, high: float, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Share of an interval that lies in each bin; a single number lies in one of them."""
    if high <= low:
        place = int(np.clip(np.searchsorted(edges, low, side="right") - 1, 0, len(edges) - 2))
        return np.asarray(np.arange(len(edges) - 1) == place, dtype=np.float64)
    overlap = np.minimum(edges[1:], high) - np.maximum(edges[:-1], low)
    return np.asarray(np.clip(overlap, 0, None) / (high - low), dtype=np.float64)
