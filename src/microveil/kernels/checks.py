"""Checks of the arrays that are passed to compiled loops."""

import numpy as np

from microveil.arrays import Floats, Ints

# Beyond this a squared distance could overflow.
LARGEST = 1e150
_VECTOR, _MATRIX = 1, 2


def check_points(points: Floats, k: int) -> None:
    """Raise ValueError unless `points` is a finite (n, d) array with n ≥ k ≥ 1 and d ≥ 1.

    >>> check_points(np.zeros((3, 1)), 4)
    Traceback (most recent call last):
    ValueError: A group needs k = 4 records, there are 3.
    """
    if points.ndim != _MATRIX or points.shape[1] == 0:
        raise ValueError(f"points must have records and columns, not the shape {points.shape}.")
    _check_size(points, k)


def check_values(values: Floats, k: int) -> None:
    """Raise ValueError unless `values` is a finite vector of at least k ≥ 1 values.

    >>> check_values(np.array([1.0, np.nan]), 1)
    Traceback (most recent call last):
    ValueError: Values must be finite, and below 1e+150 in size.
    """
    if values.ndim != _VECTOR:
        raise ValueError(f"values must be one column, not an array of shape {values.shape}.")
    _check_size(values, k)


def _check_size(values: Floats, k: int) -> None:
    if k < 1 or len(values) < k:
        raise ValueError(f"A group needs k = {k} records, there are {len(values)}.")
    # A comparison with NaN is false, so this finds missing values too.
    if not max(values.max(), -values.min()) < LARGEST:
        raise ValueError(f"Values must be finite, and below {LARGEST:g} in size.")


def check_labels(points: Floats, labels: Ints) -> None:
    """Raise ValueError unless every record of the (n, d) array has a label ≥ 0.

    >>> check_labels(np.zeros((2, 1)), np.array([0, -1], dtype=np.int32))
    Traceback (most recent call last):
    ValueError: Every record needs a group: labels start at 0.
    """
    if points.ndim != _MATRIX or labels.shape != (len(points),) or len(points) == 0:
        raise ValueError(
            f"points and labels do not belong together: shapes {points.shape} and {labels.shape}."
        )
    if labels.min() < 0:
        raise ValueError("Every record needs a group: labels start at 0.")


def check_grouping(points: Floats, labels: Ints, k: int) -> None:
    """Raise ValueError unless the groups 0..max have k..2k−1 of the finite records each.

    >>> check_grouping(np.zeros((2, 1)), np.array([0, 1], dtype=np.int32), 2)
    Traceback (most recent call last):
    ValueError: Every group must have 2 to 3 records.
    """
    check_points(points, k)
    check_labels(points, labels)
    sizes = np.bincount(labels)
    if sizes.min() < k or sizes.max() > 2 * k - 1:
        raise ValueError(f"Every group must have {k} to {2 * k - 1} records.")
