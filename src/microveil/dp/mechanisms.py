"""Mechanisms: noise for the caller's own numbers. The caller guarantees the sensitivity.

Queries to a table (:mod:`microveil.dp.queries`) prove theirs; here the caller states how far one
person can change a number. Numbers are whole: give sums in cents, lengths in millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from microveil import noise
from microveil.dp.prices.loss import Loss
from microveil.dp.prices.rationals import as_float_above, exact
from microveil.errors import InputError


def laplace(values: ArrayLike, sensitivity: Any, epsilon: Any) -> NDArray[np.int64]:
    """Whole numbers with discrete Laplace noise of scale ``sensitivity`` / ε: costs ε.

    ``sensitivity`` is the largest sum of absolute differences (L1) between neighbouring tables.
    """
    return noise.laplace(_whole(values), laplace_scale(sensitivity, epsilon))


def gaussian(values: ArrayLike, sensitivity: Any, rho: Any) -> NDArray[np.int64]:
    """Whole numbers with discrete Gaussian noise of scale ``sensitivity`` / √(2ρ): costs ρ.

    ``sensitivity`` is the largest root of the sum of squared differences (L2).
    """
    return noise.gaussian(_whole(values), gaussian_scale(sensitivity, rho))


def laplace_scale(sensitivity: Any, epsilon: Any) -> float:
    """The scale of Laplace noise, rounded up so that ε is kept exactly.

    >>> laplace_scale(1, 0.5)
    2.0
    """
    return as_float_above(_above_zero(sensitivity) / _above_zero(epsilon))


def gaussian_scale(sensitivity: Any, rho: Any) -> float:
    """The standard deviation of Gaussian noise, rounded up so that ρ is kept exactly."""
    variance = _above_zero(sensitivity) ** 2 / (2 * _above_zero(rho))
    scale = math.sqrt(as_float_above(variance))
    while Fraction(scale) ** 2 < variance:
        scale = math.nextafter(scale, math.inf)
    return scale


def exponential(scores: ArrayLike, sensitivity: Any, epsilon: Any) -> int:
    """Position of a high score, chosen by the exponential mechanism (Gumbel noise): costs ε.

    ``sensitivity`` is how far any single score can change.
    """
    scale = as_float_above(2 * _above_zero(sensitivity) / _above_zero(epsilon))
    return noise.noisy_max(_whole(scores), scale, gumbel=True)


def report_noisy_max(scores: ArrayLike, sensitivity: Any, epsilon: Any) -> int:
    """Position of a high score, by exponential noise; never worse than :func:`exponential`."""
    scale = as_float_above(2 * _above_zero(sensitivity) / _above_zero(epsilon))
    return noise.noisy_max(_whole(scores), scale)


def above_threshold(
    values: Iterable[int], threshold: int, sensitivity: Any, epsilon: Any
) -> int | None:
    """Position of the first number above a threshold, judged with noise; costs ε in total.

    The sparse vector technique (Dwork & Roth 2014, algorithm 1): half of ε hides the threshold, the
    rest each comparison, and it stops at the first yes. None when all are below. Answering further
    would cost again (Lyu, Su & Li 2017 show what goes wrong otherwise).
    """
    move, loss = _above_zero(sensitivity), _above_zero(epsilon)
    line = noise.laplace(_whole([threshold]), as_float_above(2 * move / loss))[0]
    for at, value in enumerate(values):
        noisy = noise.laplace(_whole([value]), as_float_above(4 * move / loss))[0]
        if noisy >= line:
            return at
    return None


def randomized_response(
    answers: Iterable[Hashable], epsilon: Any, categories: Sequence[Hashable] | None = None
) -> list[Any]:
    """Keep each answer with probability e^ε / (e^ε + k − 1), otherwise change it: each costs ε.

    With ε = ln 3 and two categories that is the textbook coin: honest with probability one half,
    otherwise a fair coin. ``categories`` are booleans by default.
    """
    kinds = (False, True) if categories is None else tuple(dict.fromkeys(categories))
    if len(kinds) < 2:  # noqa: PLR2004  one category tells all
        raise InputError("Randomised response needs at least two categories.")
    keep = keep_probability(len(kinds), epsilon)
    listed = list(answers)
    if any(answer not in kinds for answer in listed):
        raise InputError("An answer is not one of the categories.")
    return [noise.respond(answer, kinds, keep) for answer in listed]


def keep_probability(n_categories: int, epsilon: Any) -> float:
    """Probability of the true answer, rounded down so that ε is kept.

    >>> round(keep_probability(2, math.log(3)), 12)
    0.75
    """
    loss = float(_above_zero(epsilon))
    keep = 1 / (1 + (n_categories - 1) * math.exp(-loss))
    return min(keep * (1 - 1e-15), 1 - 2**-53)


def response_loss(keep: float, n_categories: int = 2) -> float:
    """The ε of answering truthfully with probability ``keep``, otherwise with one of the others.

    >>> round(response_loss(0.75), 6)  # ln 3
    1.098612
    """
    return math.log(keep * (n_categories - 1) / (1 - keep))


def laplace_density(at: ArrayLike, scale: float) -> NDArray[np.float64]:
    """Density of the Laplace distribution around zero: exp(−|x| / scale) / (2·scale)."""
    points = np.asarray(at, dtype=np.float64)
    found: NDArray[np.float64] = np.exp(-np.abs(points) / scale) / (2 * scale)
    return found


def compose(*losses: Loss, parallel: bool = False) -> Loss:
    """Joint loss of several answers: from the same rows the sum, from disjoint ones the largest."""
    whole = Loss()
    for loss in losses:
        whole = whole.larger(loss) if parallel else whole + loss
    return whole


def _whole(values: ArrayLike) -> NDArray[np.int64]:
    given = np.atleast_1d(np.asarray(values))
    if given.dtype.kind not in "iub" and given.size:
        raise InputError("Noise is added to whole numbers: give them in a smaller unit, rounded.")
    return given.astype(np.int64)


def _above_zero(number: Any) -> Fraction:
    found = exact(number)
    if found <= 0:
        raise InputError("Sensitivities and privacy losses must be above 0.")
    return found
