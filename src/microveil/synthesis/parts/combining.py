"""Combining rules: one estimate, its variance and interval from several synthetic copies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from microveil.errors import InputError


@dataclass(frozen=True, eq=False)
class CombinedEstimate:
    """An estimate from several copies: numbers, or arrays for several quantities."""

    estimate: Any
    """Mean of the copies' estimates."""
    variance: Any
    """Its variance as an estimate of the population value."""
    degrees_of_freedom: Any
    """Degrees of freedom of the t distribution used for intervals."""
    between: Any
    """Between-copy variance of the estimates."""
    within: Any
    """Mean within-copy variance."""

    @property
    def standard_error(self) -> Any:
        """Square root of the variance."""
        return np.sqrt(self.variance)

    def interval(self, level: float = 0.95) -> tuple[Any, Any]:
        """Confidence interval at a level."""
        from scipy.stats import t

        reach = t.ppf(0.5 + level / 2, self.degrees_of_freedom) * self.standard_error
        return self.estimate - reach, self.estimate + reach


def combine_full(
    estimates: Any, variances: Any, *, n: int | None = None, n_synthetic: int | None = None
) -> CombinedEstimate:
    """Combine estimates from fully synthetic copies (Raghunathan, Reiter and Rubin 2003).

    ``estimates`` and ``variances`` have one entry (or row of entries) per copy: the estimate and
    the square of its standard error. T = (1 + 1/m) b − ū may be small or negative by chance: it is
    never taken to be less than ū, the variance of the original's own estimate if the copies are as
    large (Reiter 2002). With both numbers of records that variance is v = ū · ``n_synthetic`` /
    ``n``, the copies' estimates vary by v + ū, and T is never less than v + (v + ū) / m. The
    published degrees of freedom (m − 1)(1 − r)² vanish as T does, with r = ū / ((1 + 1/m) b); they
    are at least (m − 1) / 2, and 2 (m − 1) if both numbers of records are given. The rules assume
    that parameters are drawn as well (``proper``).

    >>> found = combine_full([1.0, 2.0, 3.0], [0.5, 0.5, 0.5])
    >>> float(found.estimate), round(float(found.variance), 4)
    (2.0, 0.8333)
    """
    m, mean, between, within = _parts(estimates, variances)
    total = (1 + 1 / m) * between - within
    share = None if n is None or n_synthetic is None else n_synthetic / n
    least = within if share is None else (share + (1 + share) / m) * within
    with np.errstate(divide="ignore"):
        ratio = np.where(between > 0, within / ((1 + 1 / m) * between), np.inf)
    # A total cut off from below varies about half as much as the total: hence twice the degrees.
    least_degrees = (m - 1) / 2 if share is None else 2.0 * (m - 1)
    degrees = np.maximum((m - 1) * (1 - np.minimum(ratio, 1)) ** 2, least_degrees)
    # At the lower bound nothing was estimated between copies: a normal distribution is used.
    degrees = np.where(total > least, degrees, np.inf)
    return CombinedEstimate(mean, np.maximum(total, least)[()], degrees[()], between, within)


def combine_partial(estimates: Any, variances: Any) -> CombinedEstimate:
    """Combine estimates from partially synthetic copies (Reiter 2003): T = b/m + ū.

    >>> found = combine_partial([1.0, 2.0, 3.0], [0.5, 0.5, 0.5])
    >>> round(float(found.variance), 4), round(float(found.degrees_of_freedom), 4)
    (0.8333, 12.5)
    """
    m, mean, between, within = _parts(estimates, variances)
    with np.errstate(divide="ignore"):
        ratio = np.where(between > 0, within / (between / m), np.inf)
    return CombinedEstimate(
        mean, between / m + within, ((m - 1) * (1 + ratio) ** 2)[()], between, within
    )


def combine_simple(estimates: Any, variances: Any, *, n: int, n_synthetic: int) -> CombinedEstimate:
    """Combine estimates from copies of a fitted model, even a single one (Raab et al. 2016).

    For full synthesis without ``proper``: T = ū (k/n + 1/m), with k records in a copy and n in
    the original, for large samples.
    """
    estimates, variances = np.atleast_1d(estimates), np.atleast_1d(variances)
    m, mean, between, within = _parts(estimates, variances, least=1)
    variance = within * (n_synthetic / n + 1 / m)
    return CombinedEstimate(mean, variance, np.full_like(variance, np.inf)[()], between, within)


def _parts(estimates: Any, variances: Any, least: int = 2) -> tuple[int, Any, Any, Any]:
    """Number of copies, mean estimate, variance between copies, mean variance within."""
    values = np.asarray(estimates, dtype=np.float64)
    squares = np.asarray(variances, dtype=np.float64)
    if values.shape != squares.shape or values.ndim == 0 or len(values) < least:
        raise InputError(
            "The combining rules need {least} copies or more, and as many variances as estimates.",
            least=least,
        )
    if not np.isfinite(values).all() or not np.isfinite(squares).all() or (squares < 0).any():
        raise InputError(
            "The combining rules need finite estimates, and variances of 0 or more: the squares "
            "of standard errors."
        )
    m = len(values)
    between = values.var(axis=0, ddof=1) if m > 1 else np.zeros_like(values[0])
    return m, values.mean(axis=0)[()], between, squares.mean(axis=0)[()]
