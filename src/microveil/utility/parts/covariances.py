"""Covariances of the columns of a large matrix, without a second matrix of its size."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Floats

BLOCK = 65_536
"""Records that are centred at a time."""


def covariances_of(values: Floats) -> Floats:
    """Covariances over n − 1 of complete records, (records, columns); two records at least.

    Centred before they are multiplied, as by NumPy, but a block of records at a time.

    >>> covariances_of(np.array([[1.0, 2.0], [3.0, 6.0]])).tolist()
    [[2.0, 4.0], [4.0, 8.0]]
    """
    n, d = values.shape
    middle = values.mean(axis=0)
    found = np.zeros((d, d))
    for start in range(0, n, BLOCK):
        centred = values[start : start + BLOCK] - middle
        found += centred.T @ centred
    return np.asarray(found / (n - 1))
