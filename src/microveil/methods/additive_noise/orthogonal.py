"""Random orthogonal masking: rotations among records that keep mean and covariance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]

ROUNDS = 12
"""Rotations each record goes through; it is mixed with up to 2^12 others."""
FARTHEST = 2
"""Mean square of the change over the variance when nothing of a record is left in its place."""
LEAST_RECORDS = 3
"""With fewer, the records are all there is to turn into."""


def orthogonally_masked(points: Reals, change_share: float, rng: np.random.Generator) -> Reals:
    """Points multiplied by a random orthogonal matrix that keeps the vector of ones.

    Mean and covariance stay exactly. ``change_share`` is the root mean square of the change over
    the standard deviation, at most √2: 0 is the identity. The matrix is a product of rotations of
    random pairs in the space orthogonal to the vector of ones, so that time and memory are linear
    in the points; Ting, Fienberg & Trottini (2008) call the idea ROMM.
    """
    from microveil.kernels.swapping.rotate_pairs import rotate_pairs

    mean = points.mean(axis=0)
    # A random record stands for the mean in the coordinates that the reflection gives.
    pivot = int(rng.integers(len(points)))
    turned = np.asarray(points - mean)
    _reflect(turned, pivot)
    others = np.delete(np.arange(len(points)), pivot)
    # The diagonal of the product is cosine^rounds on average, the squared change 2 − 2 of that.
    cosine = (1 - change_share**2 / 2) ** (1 / ROUNDS)
    for _ in range(ROUNDS):
        rng.shuffle(others)
        rotate_pairs(turned, others, cosine)
    _reflect(turned, pivot)
    turned += mean
    return turned


def _reflect(points: Reals, pivot: int) -> None:
    """Householder's reflection, in place, that exchanges the pivot's axis and that of ones."""
    n = len(points)
    normal = np.full(n, -1 / np.sqrt(n))
    normal[pivot] += 1
    # One record has the axis of ones for its own.
    length = normal @ normal or 1.0
    for column in range(points.shape[1]):
        points[:, column] -= normal * (2 * (normal @ points[:, column]) / length)
