"""Half-widths of confidence intervals for weighted sums of independent noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from microveil.dp import Noise

_POINTS = 2**14
_REACH = 40.0
"""Number of standard deviations on either side over which the distribution is computed."""
_RARE = 1e-5
"""Tails thinner than this are bounded, not computed."""


def half_width(weights: Sequence[float], noises: Sequence[Noise], confidence: float) -> float:
    """Largest distance of the sum from its mean at this confidence level; never too narrow.

    The distribution is computed from its characteristic function, the product of those of the
    parts: 1 / (1 + (w·b·t)²) for Laplace noise of scale b, exp(−(w·σ·t)² / 2) for Gaussian noise.
    """
    used = [(abs(w), one) for w, one in zip(weights, noises, strict=True) if w and one.scale]
    if len(used) == 1:
        weight, noise = used[0]
        return weight * noise.half_width(confidence)
    laplace = sorted(w * one.scale for w, one in used if one.distribution == "laplace")
    gaussian = math.sqrt(
        sum((w * one.scale) ** 2 for w, one in used if one.distribution != "laplace")
    )
    if not laplace and not gaussian:
        return 0.0
    rounded = tuple(float(f"{scale:.6g}") for scale in laplace)
    return _quantile(rounded, float(f"{gaussian:.6g}"), confidence) * (1 + 1e-5)


@lru_cache(maxsize=4096)
def _quantile(laplace: tuple[float, ...], gaussian: float, confidence: float) -> float:
    deviation = math.sqrt(2 * sum(scale**2 for scale in laplace) + gaussian**2)
    miss = 1 - confidence
    if miss < _RARE:
        return _chernoff_bound(laplace, gaussian, miss)
    reach = _REACH * deviation
    times = np.pi * np.arange(_POINTS) / reach
    log = -0.5 * (gaussian * times) ** 2
    scales, counts = np.unique(laplace, return_counts=True)
    for scale, count in zip(scales, counts, strict=True):
        log -= count * np.log1p((scale * times) ** 2)
    # On [−reach, reach] the density is a cosine series; its integral is a sine series.
    steps = np.linspace(0, reach, 2 * _POINTS + 1)
    coefficients = np.exp(log[1:]) / np.arange(1, _POINTS)
    waves = np.zeros(4 * _POINTS)
    waves[1:_POINTS] = coefficients
    sines = -np.fft.fft(waves).imag[: 2 * _POINTS + 1]
    inside = steps / reach + 2 / np.pi * sines
    at = int(np.argmax(np.maximum.accumulate(inside) >= confidence))
    return float(steps[at] + steps[1])


def _chernoff_bound(laplace: tuple[float, ...], gaussian: float, miss: float) -> float:
    """Chernoff's bound: P(|S| > x) ≤ 2·exp(−t·x)·E exp(t·S) for every t below 1 / largest scale."""
    largest = max(laplace, default=0.0)
    deviation = math.sqrt(2 * sum(scale**2 for scale in laplace) + gaussian**2)
    top = 0.999 / largest if largest else 100 / deviation
    times = np.geomspace(1e-3 / deviation, top, 400)
    log = 0.5 * (gaussian * times) ** 2
    for scale in laplace:
        log = log - np.log1p(-((scale * times) ** 2))
    return float(np.min((log + math.log(2 / miss)) / times))
