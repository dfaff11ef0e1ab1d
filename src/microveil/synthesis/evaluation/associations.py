"""Associations before and after: correlations of numbers, and Cramér's V of all pairs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Floats
from microveil.synthesis.evaluation.marginal_errors import CommonCodes
from microveil.tables.kinds import is_number


def correlation_error(original: pl.DataFrame, synthetic: pl.DataFrame) -> float | None:
    """Mean absolute difference of correlations; None without two numeric columns."""
    names = [name for name, dtype in original.schema.items() if is_number(dtype)]
    if len(names) < 2:  # noqa: PLR2004  a correlation takes two
        return None
    before, after = (_correlations(frame.select(names)) for frame in (original, synthetic))
    upper = np.triu_indices(len(names), 1)
    return float(np.abs(before - after)[upper].mean())


def association_error(original: pl.DataFrame, synthetic: pl.DataFrame) -> float | None:
    """Mean absolute difference of Cramér's V over all pairs; None for a single column."""
    if original.width < 2:  # noqa: PLR2004  a pair
        return None
    codes = CommonCodes(original, synthetic)
    differences = [
        abs(
            _cramers_v(codes.before[i], codes.before[j])
            - _cramers_v(codes.after[i], codes.after[j])
        )
        for i, j in combinations(range(original.width), 2)
    ]
    return float(np.mean(differences))


def _correlations(frame: pl.DataFrame) -> Floats:
    columns = [frame[name].to_physical().cast(pl.Float64) for name in frame.columns]
    values = np.column_stack(
        [one.fill_nan(None).fill_null(strategy="mean").fill_null(0.0).to_numpy() for one in columns]
    )
    centred = values - values.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    scaled = centred / np.where(length > 0, length, np.inf)
    found: Floats = np.einsum("ni,nj->ij", scaled, scaled)
    return found


def _cramers_v(first: NDArray[np.int64], second: NDArray[np.int64]) -> float:
    """Bias-corrected (Bergsma 2013), so that chance alone shows no association."""
    n = len(first)
    first, second = (np.unique(one, return_inverse=True)[1] for one in (first, second))
    rows, columns = int(first.max()) + 1, int(second.max()) + 1
    if min(rows, columns) < 2 or n < 3:  # noqa: PLR2004  a constant is associated with nothing
        return 0.0
    table = np.bincount(first * columns + second, minlength=rows * columns).reshape(rows, columns)
    expected = np.multiply.outer(table.sum(axis=1), table.sum(axis=0)) / n
    phi = float(((table - expected) ** 2 / expected).sum()) / n
    phi = max(phi - (rows - 1) * (columns - 1) / (n - 1), 0.0)
    least = min(rows - (rows - 1) ** 2 / (n - 1), columns - (columns - 1) ** 2 / (n - 1)) - 1
    return float(np.sqrt(phi / least)) if least > 0 else 0.0
