"""Inverting randomised responses: how many true yes answers, and how certain that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from microveil.arrays import Floats
from microveil.dp.mechanisms import response_loss
from microveil.errors import InputError
from microveil.statistics.intervals import normal_quantile


@dataclass(frozen=True)
class ResponseEstimate:
    """Shares of the true answers, their variances and intervals, in the order of the counts."""

    shares: Floats
    variances: Floats
    """Of the estimates, over both the respondents' chance and who was asked."""
    low: Floats
    high: Floats
    epsilon: float
    """Privacy loss of each respondent."""


def estimate_responses(
    counts: ArrayLike,
    *,
    epsilon: float | None = None,
    keep: float | None = None,
    confidence: float = 0.95,
) -> ResponseEstimate:
    """True shares from the counts of randomised answers; unbiased (Warner 1965).

    With k categories, a true answer of probability p and each other of q, the estimate of a share
    whose observed one is λ is (λ − q) / (p − q), with variance λ·(1 − λ) / (n·(p − q)²). For two
    coins (p = ¾) that is 2·λ − ½. Give ``keep`` (p) or ε.

    >>> estimate_responses([60, 40], keep=0.75).shares.round(6).tolist()
    [0.7, 0.3]
    """
    from microveil.methods import estimate_frequencies

    observed = np.asarray(counts, dtype=np.float64)
    loss = _loss(epsilon, keep, observed)
    n = float(observed.sum())
    shares = estimate_frequencies(observed / n, epsilon=loss)
    true = math.exp(loss) / (math.exp(loss) + observed.size - 1)
    gap = true - (1 - true) / (observed.size - 1)
    seen = observed / n
    variances = seen * (1 - seen) / (n * gap * gap)
    width = normal_quantile(confidence) * np.sqrt(variances)
    return ResponseEstimate(
        shares, variances, (shares - width).clip(0, 1), (shares + width).clip(0, 1), loss
    )


def _loss(epsilon: float | None, keep: float | None, counts: Any) -> float:
    if (epsilon is None) == (keep is None):
        raise InputError("Give either epsilon or keep, the probability of the true answer.")
    if counts.ndim != 1 or counts.size < 2 or (counts < 0).any() or not counts.sum() > 0:  # noqa: PLR2004
        raise InputError("Give the counts of at least two answers, and at least one person.")
    if epsilon is not None:
        return float(epsilon)
    if keep is None or not 1 / counts.size < keep < 1:
        raise InputError(
            "The probability of the true answer must lie between chance and certainty."
        )
    return response_loss(keep, counts.size)
