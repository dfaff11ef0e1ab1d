"""Spread: the size of the noise in an answer, as scales and intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from microveil.arrays import Floats
from microveil.statistics.intervals import normal_quantile

Distribution = Literal["laplace", "gaussian", "exponential", "gumbel", "none"]

DRAWS = 1000
"""Draws by which intervals of answers that follow from several noisy numbers are found."""
AT_ONCE = 2_000_000
"""Numbers drawn at a time."""


@dataclass(frozen=True)
class Noise:
    """The noise in one number: its distribution and its scale, in the number's own unit."""

    name: str
    distribution: Distribution
    scale: float
    """Scale b of Laplace noise (standard deviation √2·b), standard deviation of Gaussian."""
    step: float
    """The noise falls on multiples of this."""

    def half_width(self, confidence: float) -> float:
        """Largest deviation from the true value at this confidence.

        Discrete Laplace: P(|X| > t) = 2·a^(t+1) / (1 + a) with a = exp(−1/b), in steps.
        """
        if self.scale == 0 or self.distribution == "none":
            return 0.0
        miss = 1 - confidence
        if self.distribution == "gaussian":
            return normal_quantile(confidence) * self.scale
        scale = self.scale / self.step
        beyond = -scale * math.log(miss * (1 + math.exp(-1 / scale)) / 2) - 1
        return max(math.ceil(beyond - 1e-9), 0) * self.step

    @property
    def deviation(self) -> float:
        """Standard deviation, or what comes near to it, to compare noise of different kinds."""
        return self.scale * (math.sqrt(2) if self.distribution == "laplace" else 1.0)

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
        """Imitations of the noise, for intervals alone; never added to an answer."""
        if self.scale == 0 or self.distribution == "none":
            return np.zeros(shape)
        if self.distribution == "gaussian":
            return rng.normal(0, self.scale, shape)
        return rng.laplace(0, self.scale, shape)


@dataclass(frozen=True)
class Spread:
    """The noise of all terms, and how sure intervals shall be."""

    noises: tuple[Noise, ...]
    confidence: float

    def half_widths(self) -> Floats:
        """Half widths that all hold at once (Bonferroni)."""
        miss = (1 - self.confidence) / max(len(self.noises), 1)
        return np.array([noise.half_width(1 - miss) for noise in self.noises])

    def simulate(self, noisy: Floats, answer: Callable[[Floats], Floats]) -> tuple[Floats, Floats]:
        """Intervals of an answer that follows from several noisy numbers.

        Noise is put on the noisy numbers again, many times; the quantiles of what follows bound
        the answer (a parametric bootstrap). No data are accessed, so it costs nothing.
        """
        rng = np.random.default_rng(0)
        tail = (1 - self.confidence) / 2
        lows, highs = [], []
        block = max(AT_ONCE // (DRAWS * max(noisy.shape[1], 1)), 1)
        for start in range(0, len(noisy), block):
            part = noisy[start : start + block]
            shape = (DRAWS, len(part))
            drawn = np.stack([noise.draw(shape, rng) for noise in self.noises], axis=-1)
            low, high = np.quantile(answer(part + drawn), [tail, 1 - tail], axis=0)
            lows.append(low)
            highs.append(high)
        if not lows:
            empty = answer(noisy)
            return empty, empty
        return np.concatenate(lows), np.concatenate(highs)
