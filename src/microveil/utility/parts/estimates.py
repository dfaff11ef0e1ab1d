"""Estimates with confidence intervals: group means and regression coefficients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from microveil.arrays import Floats, Longs
from microveil.utility.parts.designs import Design

LEAST_RECORDS = 3
"""Smallest number of records for which an estimate has an interval."""


class Estimate(NamedTuple):
    """An estimate with the bounds of its confidence interval."""

    value: float
    low: float
    high: float


class Side(NamedTuple):
    """The numbers of one table, NaN if missing, and the weights of its records."""

    numbers: dict[str, Floats]
    weights: Floats | None


def group_means(
    numbers: Floats, groups: Longs, n_groups: int, weights: Floats | None, confidence: float
) -> list[Estimate | None]:
    """Mean of each group with a Student t interval; None if there are too few records.

    Records with a negative group belong to none. Weighted means have linearised variances.
    """
    from scipy.stats import t

    there = np.isfinite(numbers) & (groups >= 0)
    x, g = numbers[there], groups[there]
    w = np.ones(len(x)) if weights is None else weights[there]
    n = np.bincount(g, minlength=n_groups)
    total = np.bincount(g, w, minlength=n_groups)
    usable = (n >= LEAST_RECORDS) & (total > 0)
    safe = np.where(usable, total, 1.0)
    means = np.bincount(g, w * x, minlength=n_groups) / safe
    squares = np.bincount(g, w**2 * (x - means[g]) ** 2, minlength=n_groups)
    fewer = np.maximum(n - 1, 1)
    margins = t.ppf((1 + confidence) / 2, fewer) * np.sqrt(squares / safe**2 * n / fewer)
    return [
        Estimate(float(mean), float(mean - margin), float(mean + margin)) if fit else None
        for mean, margin, fit in zip(means, margins, usable, strict=True)
    ]


def overlap(before: Estimate, after: Estimate | None) -> float:
    """Mean share of the intersection in both intervals; 0 if they are disjoint.

    >>> overlap(Estimate(1, 0, 2), Estimate(2, 1, 3))
    0.5
    """
    if after is None:
        return 0.0
    common = min(before.high, after.high) - max(before.low, after.low)
    widths = [one.high - one.low for one in (before, after)]
    if common < 0:
        return 0.0
    # An interval of zero width lies inside the other, or equals it.
    return float(np.mean([common / width if width > 0 else 1.0 for width in widths]))


def regression(
    side: Side, target: str, predictors: tuple[str, ...], confidence: float
) -> dict[str, Estimate]:
    """Least-squares coefficients; none for predictors that others determine."""
    from scipy.stats import t

    columns = [side.numbers[target], *(side.numbers[name] for name in predictors)]
    there = np.logical_and.reduce([np.isfinite(column) for column in columns])
    if not there.all():
        columns = [column[there] for column in columns]
    if len(columns[0]) <= len(columns) + 1:
        return {}
    scales = [column.std() for column in columns[1:]]
    kept = [place for place, scale in enumerate(scales) if scale > 0]
    weights = side.weights if side.weights is None or there.all() else side.weights[there]
    design = Design(columns[0], [columns[1 + place] for place in kept], weights)
    if design.rank < design.width:
        return {}
    beta, covariance = design.least_squares()
    freedom = len(design.target) - design.width
    margins = t.ppf((1 + confidence) / 2, freedom) * np.sqrt(np.maximum(np.diag(covariance), 0))
    return {
        predictors[place]: Estimate(
            float(beta[number] / scales[place]),
            float((beta[number] - margins[number]) / scales[place]),
            float((beta[number] + margins[number]) / scales[place]),
        )
        for number, place in enumerate(kept, 1)
    }
