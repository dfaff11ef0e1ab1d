"""Outlying records: beyond a high quantile, or far from the robust centre."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Flags, Floats
from microveil.statistics.mcd import TAIL, robust_distances

QUANTILE = 0.99
"""Values above this quantile of their column are outliers."""


def outlying(points: Floats) -> Flags:
    """Which records are outliers, in one column or jointly; NaN is missing and never is one.

    Jointly: squared robust distance above the 97.5 % quantile (Rousseeuw 1984). A record with a
    missing cell is judged column by column only.
    """
    flags = np.zeros(len(points), dtype=np.bool_)
    for column in points.T:
        values = column[~np.isnan(column)]
        if len(values):
            flags |= column > np.quantile(values, QUANTILE)
    complete = ~np.isnan(points).any(axis=1)
    flags[complete] |= _far(points if complete.all() else points[complete])
    return flags


def _far(points: Floats) -> Flags:
    from scipy.stats import chi2

    varying = np.ptp(points, axis=0) > 0 if len(points) else np.zeros(points.shape[1], np.bool_)
    return np.asarray(robust_distances(points[:, varying]) > chi2.ppf(TAIL, max(varying.sum(), 1)))
