"""Noise: discrete Gaussian for counts, Gumbel for selection; OpenDP's, or an insecure stand-in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, nextafter
from typing import Protocol

import numpy as np

from microveil.arrays import Longs
from microveil.errors import InternalError
from microveil.noise import gaussian, gaussian_loss, gumbel_loss, noisy_max
from microveil.synthesis.private.accounting import scale_for


class Noise(Protocol):
    """The source of a mechanism's randomness."""

    def counts(self, values: Longs, rho: Fraction) -> tuple[Longs, float]:
        """Noisy counts (one record changes one count by 1) at cost ρ, and the noise scale."""

    def choice(self, scores: Longs, sensitivity: int, rho: Fraction) -> tuple[int, float]:
        """Position of approximately the largest score, at cost ρ, and the scale of the noise."""


class SecureNoise:
    """OpenDP's mechanisms: exact distributions from a cryptographic source without a seed."""

    def counts(self, values: Longs, rho: Fraction) -> tuple[Longs, float]:
        """Add discrete Gaussian noise (Canonne, Kamath and Steinke 2020)."""
        scale = _within(lambda scale: gaussian_loss(scale, 1), scale_for(rho), rho)
        return gaussian(values, scale), scale

    def choice(self, scores: Longs, sensitivity: int, rho: Fraction) -> tuple[int, float]:
        """Report the noisy maximum with Gumbel noise, which is the exponential mechanism."""
        least = scale_for(rho, sensitivity)
        scale = _within(lambda scale: gumbel_loss(scale, sensitivity), least, rho)
        return noisy_max(scores, scale, gumbel=True), scale


class InsecureNoise:
    """Reproducible pseudo-random noise: for tests and simulations, never for a release."""

    def __init__(self, rng: np.random.Generator) -> None:
        """Draw from a generator."""
        self._rng = rng

    def counts(self, values: Longs, rho: Fraction) -> tuple[Longs, float]:
        """Add rounded Gaussian noise."""
        scale = scale_for(rho)
        noise = np.rint(self._rng.normal(0.0, scale, len(values))).astype(np.int64)
        return values + noise, scale

    def choice(self, scores: Longs, sensitivity: int, rho: Fraction) -> tuple[int, float]:
        """Take the largest score plus Gumbel noise."""
        scale = scale_for(rho, sensitivity)
        return int(np.argmax(scores + self._rng.gumbel(0.0, scale, len(scores)))), scale


def _within(loss: Callable[[float], float], scale: float, rho: Fraction) -> float:
    """The smallest scale, not below the given one, that costs at most ρ according to OpenDP."""
    for _ in range(100):
        if Fraction(loss(scale)) <= rho:
            return scale
        scale = nextafter(scale, inf)
    raise InternalError("OpenDP charges more for noise than expected.")
