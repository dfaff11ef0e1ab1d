"""Random orthogonal masking: rotations of the records that preserve mean and covariance."""

from __future__ import annotations

import numpy as np

from microveil.arrays import Floats

ROUNDS = 12
"""Number of rotations per record, which mix it with up to 2^12 others."""
FARTHEST = 2
"""Mean squared change over the variance if nothing of a record is left in its place."""
LEAST_RECORDS = 3
"""With fewer records there is nothing else to rotate into."""


def orthogonally_masked(points: Floats, change_share: float, rng: np.random.Generator) -> Floats:
    """Multiply the points by a random orthogonal matrix that preserves the vector of ones.

    Mean and covariance are preserved exactly. ``change_share`` is the root mean square change over
    the standard deviation, at most √2; 0 is the identity. The matrix is a product of rotations of
    random pairs in the space orthogonal to the vector of ones, so that time and memory are linear
    in the points; Ting, Fienberg & Trottini (2008) call the idea ROMM.
    """
    from microveil.kernels.swapping.rotate_pairs import rotate_pairs

    mean = points.mean(axis=0)
    # A random record represents the mean in the coordinates of the reflection.
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


def _reflect(points: Floats, pivot: int) -> None:
    """Apply, in place, the Householder reflection that swaps the axes of the pivot and of ones."""
    n = len(points)
    normal = np.full(n, -1 / np.sqrt(n))
    normal[pivot] += 1
    # With one record, its axis is the axis of ones.
    length = normal @ normal or 1.0
    for column in range(points.shape[1]):
        points[:, column] -= normal * (2 * (normal @ points[:, column]) / length)
