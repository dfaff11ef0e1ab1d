"""Summaries of record risks: their sum, a threshold, and the uncertainty of the sum."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

if TYPE_CHECKING:
    from microveil.arrays import Floats, Longs

MAD_TO_SD = 1.4826
"""The median absolute deviation of normal values times this is their standard deviation."""
FAR = 3.0
LEAST_FAR = 0.1
NORMAL_95 = 1.959963984540054
_FEW = 20_000
_STEPS = 64
"""Steps per unit of log share used to pool classes."""
_LONGEST = 40 * _STEPS
_LARGEST = 60


class RiskCounts(NamedTuple):
    """Number of people with each risk, the highest first."""

    risks: Floats
    counts: Longs

    @classmethod
    def of(cls, risks: Floats, counts: Longs) -> Self:
        """Pool equal risks."""
        if not len(risks):
            return cls(risks, counts)
        order = np.argsort(risks)[::-1]
        ordered = risks[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=np.inf))
        return cls(ordered[starts], np.add.reduceat(counts[order], starts))

    @property
    def n(self) -> int:
        """Number of people."""
        return int(self.counts.sum())

    @property
    def total(self) -> float:
        """Expected number of people that an intruder re-identifies."""
        return float(self.risks @ self.counts)

    @property
    def mean(self) -> float:
        """The total as a share; 0 without people."""
        return self.total / self.n if self.n else 0.0

    @property
    def highest(self) -> float:
        """Largest risk; 0 without people."""
        return float(self.risks[0]) if len(self.risks) else 0.0

    def n_above(self, threshold: float) -> int:
        """Number of people with a larger risk."""
        return int(self.counts[self.risks > threshold].sum())

    def threshold_for(self, mean: float) -> float:
        """Largest risk r such that the mean is below ``mean`` once no risk exceeds r.

        The rule of µ-Argus and sdcMicro: records with a higher risk are those to protect. The
        largest risk if nothing needs protection, 0 if no risk that occurs is low enough.
        """
        capped = self.risks * self.counts
        rest = np.cumsum(capped[::-1])[::-1]
        passed = np.cumsum(self.counts) - self.counts
        enough = np.flatnonzero(rest + self.risks * passed < mean * self.n)
        return float(self.risks[enough[0]]) if len(enough) else 0.0

    def n_far_above(self) -> int:
        """People with a risk above 0.1 and three (robust) standard deviations above the median."""
        if self.highest <= LEAST_FAR:
            return 0
        middle = _median(self.risks, self.counts)
        spread = MAD_TO_SD * _median(np.abs(self.risks - middle), self.counts)
        return self.n_above(max(middle + FAR * spread, LEAST_FAR))


def _median(values: Floats, counts: Longs) -> float:
    order = np.argsort(values)
    reached = np.cumsum(counts[order])
    n = int(reached[-1])
    low, high = np.searchsorted(reached, [(n - 1) // 2, n // 2], side="right")
    return float(values[order[low]] + values[order[high]]) / 2


def posterior_sd(sample: Floats, drawn: Floats) -> float:
    """Standard deviation of Σ f/F over classes, given f and the sampled share of each class.

    Many classes are pooled by size and log share, in steps so small that they affect the sum only
    in its fifth digit.
    """
    from microveil.kernels.statistics.inverse_frequencies import inverse_variances

    if len(sample) <= _FEW:
        return float(np.sqrt((sample**2) @ inverse_variances(sample, drawn)))
    large = sample > _LARGEST
    total = float((drawn[large] ** 2 * (1 - drawn[large])) @ (1 / sample[large]))
    sizes, logs = sample[~large], -np.log(drawn[~large])
    steps = np.minimum(logs * _STEPS, _LONGEST - 1).astype(np.int64)
    place = sizes.astype(np.int64) * _LONGEST + steps
    counts = np.bincount(place, minlength=(_LARGEST + 1) * _LONGEST)
    occurring = np.flatnonzero(counts)
    means = np.bincount(place, weights=logs, minlength=len(counts))[occurring] / counts[occurring]
    whole = (occurring // _LONGEST).astype(np.float64)
    variances = inverse_variances(whole, np.exp(-means))
    return float(np.sqrt(total + (counts[occurring] * whole**2) @ variances))
