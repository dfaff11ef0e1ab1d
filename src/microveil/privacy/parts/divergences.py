"""Distances between the shares of the sensitive values in each class and in the whole table.

All work on the entries that occur: a value that a class lacks contributes nothing, or is accounted
for through the table's cumulated shares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from microveil.arrays import Floats
    from microveil.privacy.parts.distribution import Distribution


def hellinger_distances(found: Distribution) -> Floats:
    """√(1 − Σ√(p·q)): 0 where shares are equal, 1 where no value is in both."""
    alike = found.per_class(np.sqrt(found.shares * found.table_shares))
    distances: Floats = np.sqrt(np.maximum(1 - alike, 0.0))
    return distances


def kullback_leibler_distances(found: Distribution) -> Floats:
    """Σ p·log₂(p/q) in bits: the mean information that the class gives about the value."""
    told = found.shares * np.log2(found.shares / found.table_shares)
    return np.maximum(found.per_class(told), 0.0)


def kolmogorov_smirnov_distances(found: Distribution) -> Floats:
    """Largest difference of the cumulated shares, in the order of the codes.

    Between two values of a class its own cumulated share is constant while the table's grows: the
    difference is largest at a value of the class, or just below one.
    """
    if not found.n_classes:
        return np.zeros(0)
    table = np.cumsum(found.totals) / found.totals.sum()
    below = np.concatenate([[0.0], table])
    cumulated = np.cumsum(found.counts)
    offset = (cumulated - found.counts)[found.starts]
    own = (cumulated - offset[found.classes]) / found.sizes[found.classes]
    own_below = own - found.shares
    apart = np.maximum(np.abs(own - table[found.values]), np.abs(own_below - below[found.values]))
    return found.largest(apart)
