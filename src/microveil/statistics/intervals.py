"""Confidence intervals for proportions, their differences and areas under curves."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

Interval = tuple[float, float]


class Wilson(NamedTuple):
    """Wilson's (1927) score interval for a proportion: its centre and half its length."""

    centre: float
    """The proportion shrunk slightly towards one half."""
    error: float


def normal_quantile(confidence: float) -> float:
    """Number of standard deviations either side that hold this share of a normal distribution.

    It stays finite where a confidence cannot be told from 1.

    >>> round(normal_quantile(0.95), 2)
    1.96
    """
    return NormalDist().inv_cdf(min((1 + confidence) / 2, 1 - 2**-53))


def wilson(share: float, n: float, confidence: float) -> Wilson:
    """Interval for a proportion, given the number of trials.

    >>> wilson(0.5, 100, 0.95)
    Wilson(centre=0.5, error=0.0961...)
    """
    z = normal_quantile(confidence)
    spread = max(n * share * (1 - share), 0.0)
    return Wilson((share * n + z * z / 2) / (n + z * z), z / (n + z * z) * sqrt(spread + z * z / 4))


def difference_interval(
    first: float, first_interval: Interval, second: float, second_interval: Interval
) -> Interval:
    """Interval for the difference of two proportions from their own (Newcombe 1998, method 10).

    >>> low, high = difference_interval(0.8, (0.7, 0.9), 0.5, (0.4, 0.6))
    >>> round(low, 3), round(high, 3)
    (0.159, 0.441)
    """
    difference = first - second
    down = sqrt((first - first_interval[0]) ** 2 + (second_interval[1] - second) ** 2)
    up = sqrt((first_interval[1] - first) ** 2 + (second - second_interval[0]) ** 2)
    return max(difference - down, -1.0), min(difference + up, 1.0)


def area_interval(area: float, n_first: int, n_second: int, confidence: float) -> Interval:
    """Interval for the area under an ROC curve (Hanley & McNeil 1982).

    >>> [round(end, 3) for end in area_interval(0.5, 100, 100, 0.95)]
    [0.42, 0.58]
    """
    if n_first == 0 or n_second == 0:
        return 0.0, 1.0
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    variance = area * (1 - area)
    variance += (n_first - 1) * (first - area**2) + (n_second - 1) * (second - area**2)
    error = normal_quantile(confidence) * sqrt(max(variance, 0.0) / (n_first * n_second))
    return max(area - error, 0.0), min(area + error, 1.0)
