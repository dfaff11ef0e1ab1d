"""Superpopulation models: what the class sizes of a sample imply about the population."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from microveil.populations.uniqueness import SizeCounts

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALLEST_SHAPE, _LARGEST_SHAPE = 1e-8, 1e6


class UniqueRisks(NamedTuple):
    """A model's estimates for a record that is unique in the sample."""

    unique: float
    """Probability that it is also unique in the population."""
    inverse: float
    """Expected 1 / number of people with its keys: the probability of a correct match."""


CERTAIN = UniqueRisks(1.0, 1.0)


def poisson(sample: SizeCounts, drawn: float) -> UniqueRisks:
    """Model every population class as a Poisson number of people, with a common mean.

    The mean is the maximum-likelihood estimate, given that classes without a record are unobserved.

    >>> poisson(SizeCounts.of(np.array([1, 2, 3])), 1.0)
    UniqueRisks(unique=1.0, inverse=1.0)
    """
    from scipy.optimize import brentq

    n_classes = sample.n_classes
    if sample.n == n_classes:
        return CERTAIN
    mean_size = sample.n / n_classes
    mean = float(brentq(lambda m: m / -np.expm1(-m) - mean_size, 1e-12, mean_size, xtol=1e-14))
    return poisson_risks(mean * (1 - drawn) / drawn)


def poisson_risks(others: float) -> UniqueRisks:
    """Risks if a unique record shares its keys with a Poisson number of others, with this mean."""
    if others <= 0:
        return CERTAIN
    return UniqueRisks(float(np.exp(-others)), float(-np.expm1(-others) / others))


def negative_binomial(sample: SizeCounts, drawn: float) -> UniqueRisks:
    """Let the Poisson means of classes be gamma distributed (Bethlehem et al. 1990).

    Class sizes are then negative binomial; shape and scale are maximum-likelihood estimates, given
    that classes without a record are unobserved. As the shape tends to 0 this becomes Fisher's
    series, and ``inverse`` the estimate of Benedetti and Franconi; for a large shape it becomes the
    Poisson model.
    """
    if sample.n == sample.n_classes:
        return CERTAIN
    shape, kept = _fit(sample)
    # A unique record shares its keys with NB(shape + 1, alone) further people.
    alone = drawn / (1 - kept * (1 - drawn))
    if alone >= 1:
        return CERTAIN
    unique = alone ** (shape + 1)
    inverse = alone / (1 - alone) * -np.expm1(shape * np.log(alone)) / shape
    return UniqueRisks(float(unique), float(inverse))


def _fit(sample: SizeCounts) -> tuple[float, float]:
    """Shape and success probability of the zero-truncated negative binomial of the class sizes."""
    from scipy.optimize import minimize
    from scipy.special import expit, gammaln

    n_classes = sample.n_classes
    low, high = np.log(_SMALLEST_SHAPE), np.log(_LARGEST_SHAPE)

    def parameters(point: NDArray[np.float64]) -> tuple[float, float]:
        return float(np.exp(np.clip(point[0], low, high))), float(np.clip(point[1], -40, 40))

    def cost(point: NDArray[np.float64]) -> float:
        shape, odds = parameters(point)
        log_kept, log_rest = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
        each = gammaln(sample.sizes + shape) - gammaln(shape)
        seen = shape * log_kept - np.log(-np.expm1(shape * log_kept))
        return -float(sample.counts @ each + sample.n * log_rest + n_classes * seen)

    tight = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    start = np.array([0.0, np.log(n_classes / sample.n)])
    found = minimize(cost, start, method="Nelder-Mead", options=tight)
    shape, odds = parameters(found.x)
    return shape, float(expit(odds))
