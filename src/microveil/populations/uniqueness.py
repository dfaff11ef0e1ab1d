"""Estimators of the share of a population that is unique, from the class sizes of a sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Self

import numpy as np

from microveil.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

Estimator = Literal["dankar", "pitman", "snb", "zayatz"]
SMALL_SAMPLE = 0.1
"""Up to this sampling share Pitman's model does best, above it the other two (Dankar et al.)."""
SOLVED = 1e-9
"""Largest relative error at which the moment equations count as solved."""

LARGE_THETA = 1e3
"""From here on the first terms of the digamma function's series are exact."""
NEARBY = 1e-3
"""How far parameters may move during polishing."""


class SizeCounts(NamedTuple):
    """Number of classes of each size in a sample."""

    sizes: NDArray[np.int64]
    counts: NDArray[np.float64]

    @classmethod
    def of(cls, class_sizes: NDArray[np.int64], records: NDArray[np.int64] | None = None) -> Self:
        """Count the sizes.

        ``records`` gives the records of each class, if classes overlap and a class matches more
        records than it holds: i records that each match i records then count as one class of size
        i.

        >>> SizeCounts.of(np.array([3, 3, 1]), np.array([2, 1, 1])).counts.tolist()
        [1.0, 1.0]
        """
        sizes, place = np.unique(class_sizes, return_inverse=True)
        held = class_sizes if records is None else records
        counts = np.bincount(place, weights=held, minlength=len(sizes)) / sizes
        return cls(sizes, counts)

    @property
    def n(self) -> int:
        """Number of records in the sample."""
        return round(float(self.sizes @ self.counts))

    @property
    def n_classes(self) -> float:
        """Number of classes."""
        return float(self.counts.sum())

    def of_size(self, size: int) -> float:
        """Number of classes of one size."""
        return float(self.counts[self.sizes == size].sum())


def unique_share(sample: SizeCounts, population_size: int, estimator: Estimator) -> float:
    """Estimated share of the population that is unique; 0 without a unique record."""
    if sample.of_size(1) == 0:
        return 0.0
    if estimator == "pitman":
        return pitman(sample, population_size)
    if estimator == "zayatz":
        return zayatz(sample, population_size)
    if estimator == "snb":
        share = slide_negative_binomial(sample, population_size)
        if share is None:
            raise InputError(
                "The slide negative binomial model does not fit this table's class sizes. Choose "
                "another estimator: dankar, pitman or zayatz."
            )
        return share
    return dankar(sample, population_size)


def zayatz(sample: SizeCounts, population_size: int) -> float:
    """Scale up the sample uniques that are population uniques (Zayatz 1991).

    The class sizes of the population are assumed to be distributed as in the sample; a class of
    size i contributes one record to the sample with hypergeometric probability.
    """
    n = sample.n
    steps = np.arange(1, int(sample.sizes.max()), dtype=np.float64)
    with np.errstate(divide="ignore"):
        falls = np.log(np.maximum(population_size - n + 1 - steps, 0) / (population_size - steps))
    # Probability that one record of a class of size i is drawn, relative to a class of size 1.
    drawn = np.exp(np.concatenate([[0.0], np.cumsum(falls)]))[sample.sizes - 1] * sample.sizes
    weights = sample.counts * drawn
    unique = float(weights[sample.sizes == 1].sum() / weights.sum())
    return sample.of_size(1) * unique / n


def pitman(sample: SizeCounts, population_size: int) -> float:
    """Fit Pitman's two-parameter model of class sizes by maximum likelihood (Hoshino 2001).

    The uniques in a population of N are Γ(θ+1)/Γ(θ+α)·N^α, which holds for large N. Where the
    likelihood falls with α from 0 on, α is 0: Ewens's model, with θ uniques.
    """
    from scipy.optimize import minimize
    from scipy.special import digamma, expit, gammaln

    n, n_classes = sample.n, sample.n_classes
    if n_classes == n:
        return 1.0  # the likelihood grows towards α = 1, where everybody is unique
    ewens = _ewens(n, n_classes)
    rise = n_classes * (n_classes - 1) / (2 * ewens)
    if rise <= sample.counts @ (digamma(sample.sizes) - digamma(1)):
        return min(ewens / population_size, 1.0)

    def parameters(point: NDArray[np.float64]) -> tuple[float, float]:
        share = float(expit(np.clip(point[1], -30, 30)))
        return float(np.exp(np.clip(point[0], -30, 30))) - share, share

    def cost(point: NDArray[np.float64]) -> float:
        theta, share = parameters(point)
        ratio = theta / share
        new = (n_classes - 1) * np.log(share) + gammaln(ratio + n_classes) - gammaln(ratio + 1)
        drawn = gammaln(theta + n) - gammaln(theta + 1)
        old = sample.counts @ (gammaln(sample.sizes - share) - gammaln(1 - share))
        return -float(new - drawn + old)

    tight = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000}
    found = minimize(cost, np.array([np.log(10.0), 0.0]), method="Nelder-Mead", options=tight)
    theta, share = _solve_gradient(sample, *parameters(found.x))
    log_share = gammaln(theta + 1) - gammaln(theta + share) + (share - 1) * np.log(population_size)
    return float(min(np.exp(log_share), 1.0))


def _ewens(n: int, n_classes: float) -> float:
    """θ for which n records are expected to fall into this many classes (Ewens 1972)."""
    from scipy.optimize import brentq

    # Σ θ/(θ+i) is at least n − n(n−1)/(2θ), which bounds θ from above.
    most = np.log(n) + np.log(n - 1) - np.log(2 * (n - n_classes))
    found = brentq(lambda at: _expected_classes(np.exp(at), n) - n_classes, -30.0, most + 1.0)
    return float(np.exp(found))


def _expected_classes(theta: float, n: int) -> float:
    """Σ θ/(θ+i) over i below n: θ·(ψ(θ+n) − ψ(θ)), which loses digits where θ is large."""
    from scipy.special import digamma

    if theta < LARGE_THETA:
        return float(theta * (digamma(theta + n) - digamma(theta)))
    far = theta + n
    tail = (1 / theta - 1 / far) / 2 + (1 / theta**2 - 1 / far**2) / 12
    return float(theta * (np.log1p(n / theta) + tail))


def _solve_gradient(sample: SizeCounts, theta: float, share: float) -> tuple[float, float]:
    """Solve for a zero gradient of the likelihood, which gives more digits than maximising it."""
    from scipy.optimize import root
    from scipy.special import digamma

    n, n_classes = sample.n, sample.n_classes

    def slopes(point: NDArray[np.float64]) -> NDArray[np.float64]:
        here, part = float(point[0]) * scale, float(point[1])
        rise = digamma(here / part + n_classes) - digamma(here / part + 1)
        drawn = digamma(here + n) - digamma(here + 1)
        old = sample.counts @ (digamma(sample.sizes - part) - digamma(1 - part))
        return np.array(
            [(rise / part - drawn) / n_classes, (n_classes - 1 - here / part * rise) / part - old]
        )

    scale = max(abs(theta), 1.0)
    with np.errstate(all="ignore"):
        found = root(slopes, np.array([theta / scale, share]), tol=1e-14)
    near, part = float(found.x[0]) * scale, float(found.x[1])
    believed = np.isfinite(found.x).all() and 0 < part < 1 and near > -part
    moved = abs(near - theta) / scale + abs(part - share)
    return (near, part) if believed and moved < NEARBY else (theta, share)


def slide_negative_binomial(sample: SizeCounts, population_size: int) -> float | None:
    """Model a class as 1 + NB(α, β) people (Chen & Keller-McNulty 1998); None if it does not fit.

    Each person is sampled with the sampling share. The expected numbers of sample classes of size
    one and two, together with N people in all, determine α, β and the number of classes.
    """
    from scipy.optimize import least_squares

    seen = np.array([sample.of_size(1), sample.of_size(2)], dtype=np.float64)
    if not seen.all():
        return None
    drawn = sample.n / population_size

    def misfit(point: NDArray[np.float64]) -> NDArray[np.float64]:
        return _log_expected(point, population_size, drawn) - np.log(seen)

    for start in ((0.0, -6.0), (-3.0, -3.0), (1.0, 0.0), (-6.0, -9.0)):
        found = least_squares(misfit, start, xtol=1e-14, ftol=1e-14, gtol=1e-14, max_nfev=500)
        if np.abs(found.fun).max() < SOLVED:
            alpha, beta = np.exp(found.x[0]), _logistic(found.x[1])
            # Classes per person, times the probability that a class is a single person.
            return float(beta / (beta + alpha * (1 - beta)) * beta**alpha)
    return None


def _log_expected(
    point: NDArray[np.float64], population_size: int, drawn: float
) -> NDArray[np.float64]:
    """Logs of the expected numbers of sample classes of sizes one and two."""
    alpha, beta, rest = np.exp(point[0]), _logistic(point[1]), _logistic(-point[1])
    missed = 1 - drawn
    base = 1 - rest * missed
    classes = np.log(population_size) + np.log(beta) - np.log(beta + alpha * rest)
    common = classes + alpha * (np.log(beta) - np.log(base)) + np.log(drawn) - np.log(base)
    one = common + np.log(base + missed * alpha * rest)
    pair = alpha * rest * (2 * base + missed * (alpha + 1) * rest)
    two = common + np.log(drawn / 2) - np.log(base) + np.log(pair)
    return np.array([one, two])


def _logistic(value: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(value, -40, 40))))


def dankar(sample: SizeCounts, population_size: int) -> float:
    """Apply the rule of Dankar, El Emam, Neisa & Roffey (2012).

    It uses Pitman's model up to a sampling share of one tenth, and above it the smaller of Zayatz's
    and the slide negative binomial estimate.
    """
    if sample.n <= SMALL_SAMPLE * population_size:
        return pitman(sample, population_size)
    shares = [zayatz(sample, population_size)]
    other = slide_negative_binomial(sample, population_size)
    return min(shares if other is None else [*shares, other])
