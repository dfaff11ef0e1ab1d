"""Noise: discrete Gaussian for counts, Gumbel for choices; OpenDP's, or an insecure stand-in."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, nextafter
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from microveil.errors import InputError, InternalError
from microveil.synthesis.private.accounting import scale_for

Longs = NDArray[np.int64]


class Noise(Protocol):
    """Where a mechanism's randomness comes from."""

    def counts(self, values: Longs, rho: Fraction) -> tuple[Longs, float]:
        """Counts (one record changes one of them by 1) with noise of cost ρ; the noise's scale."""

    def choice(self, scores: Longs, sensitivity: int, rho: Fraction) -> tuple[int, float]:
        """Position of about the largest score, at cost ρ; the noise's scale."""


class SecureNoise:
    """OpenDP's mechanisms: exact distributions, from a source that no seed can repeat."""

    def __init__(self) -> None:
        """Load OpenDP."""
        # Not `opendp.prelude`, which loads pandas and scikit-learn where they are installed.
        try:
            from opendp import domains, measurements, measures, metrics
            from opendp.mod import enable_features
        except ImportError:
            raise InputError(
                "Differentially private synthesis needs OpenDP: install `microveil[dp]`."
            ) from None
        enable_features("contrib")
        self._counts_space = (
            domains.vector_domain(domains.atom_domain(T="i64")),
            metrics.l2_distance(T="i64"),
        )
        self._scores_space = (
            domains.vector_domain(domains.atom_domain(T="i64")),
            metrics.linf_distance(T="i64"),
            measures.zero_concentrated_divergence(),
        )
        self._mechanisms: Any = measurements

    def counts(self, values: Longs, rho: Fraction) -> tuple[Longs, float]:
        """Add discrete Gaussian noise (Canonne, Kamath and Steinke 2020)."""
        make = self._mechanisms.make_gaussian
        mechanism, scale = _within(
            lambda scale: make(*self._counts_space, scale=scale), 1, scale_for(rho), rho
        )
        return np.array(mechanism(values.tolist()), dtype=np.int64), scale

    def choice(self, scores: Longs, sensitivity: int, rho: Fraction) -> tuple[int, float]:
        """Report the noisy maximum with Gumbel noise, which is the exponential mechanism."""
        make = self._mechanisms.make_noisy_max
        mechanism, scale = _within(
            lambda scale: make(*self._scores_space, scale=scale),
            sensitivity,
            scale_for(rho, sensitivity),
            rho,
        )
        return int(mechanism(scores.tolist())), scale


class InsecureNoise:
    """Pseudo-random noise that a seed repeats: for tests and simulations, never for a release."""

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


def _within(
    build: Callable[[float], Any], sensitivity: int, scale: float, rho: Fraction
) -> tuple[Any, float]:
    """The mechanism that costs at most ρ by OpenDP's own reckoning, which rounds upwards."""
    for _ in range(100):
        mechanism = build(scale)
        if Fraction(mechanism.map(sensitivity)) <= rho:
            return mechanism, scale
        scale = nextafter(scale, inf)
    raise InternalError("OpenDP charges more for noise than was reckoned.")
