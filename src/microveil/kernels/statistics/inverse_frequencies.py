"""Expected inverse population frequencies: the risk in a class of f records, sampling fraction p.

Of the F people in the population with given keys, the sample contains f; each was drawn with
probability p. The posterior of F is then negative binomial, F − f ~ NB(f, p), and the risk of a
record is the expectation of 1/F (Benedetti & Franconi 1998; Rinott 2003).
"""

import math

import numpy as np

from microveil.arrays import Floats
from microveil.kernels.jit import kernel

_SERIES_FROM = 30.0
"""From this class size on, few terms of the series suffice for any sampling fraction."""
_HALF = 0.5
_WHOLE = 1e-7
"""Frequencies this close to an integer are rounded to it."""
_TINY = 1e-17
_TWO = 2.0
_PANELS, _LARGE = 8, 60.0
_FAR = 40.0


def expected_inverses(sample: Floats, drawn: Floats) -> Floats:
    """E(1/F) of classes of `sample` records with sampling fractions `drawn`, exactly.

    E(1/F) = ∫₀¹ u^(f−1) · p / (p + (1−p)·u) du, for real f ≥ 1 and 0 < p ≤ 1.

    >>> expected_inverses(np.array([1.0, 3.0]), np.array([0.5, 1.0])).round(6).tolist()
    [0.693147, 0.333333]
    """
    return _expected_inverses(sample, drawn)


def approximate_inverses(sample: Floats, drawn: Floats) -> Floats:
    """The same as sdcMicro computes it: exact up to f = 2, then p / (f − (1−p)), slightly larger.

    >>> approximate_inverses(np.array([2.0, 3.0]), np.array([0.5, 0.5])).round(6).tolist()
    [0.306853, 0.2]
    """
    return _approximate_inverses(sample, drawn)


def inverse_variances(sample: Floats, drawn: Floats) -> Floats:
    """The posterior variance of 1/F, by quadrature up to f = 60, then by its leading term.

    >>> inverse_variances(np.array([1.0, 1.0]), np.array([1.0, 0.5])).round(6).tolist()
    [0.0, 0.101788]
    """
    nodes, weights = np.polynomial.legendre.leggauss(16)
    return _inverse_variances(sample, drawn, nodes, weights)


@kernel
def _expected_inverses(sample: Floats, drawn: Floats) -> Floats:
    found = np.empty(sample.size)
    for i in range(sample.size):
        found[i] = _expected_inverse(sample[i], drawn[i])
    return found


@kernel
def _approximate_inverses(sample: Floats, drawn: Floats) -> Floats:
    found = np.empty(sample.size)
    for i in range(sample.size):
        f, p = sample[i], drawn[i]
        if f > _TWO and p < 1.0:
            found[i] = p / (f - (1.0 - p))
        else:
            found[i] = _expected_inverse(f, p)
    return found


@kernel
def _expected_inverse(f: float, p: float) -> float:
    q = 1.0 - p
    if q <= 0.0:
        return 1.0 / f
    if q <= _HALF or f >= _SERIES_FROM:
        return p / f * _series(f + 1.0, q)
    # r(f+1) = p/q · (1/f − r(f)), which damps errors as long as p < q.
    whole = round(f)
    if abs(f - whole) < _WHOLE:
        at, risk, f = 1.0, -p / q * math.log(p), float(whole)
    else:
        at = 1.0 + f - math.floor(f)
        risk = _between(at, p)
    while at < f - _HALF:
        risk = p / q * (1.0 / at - risk)
        at += 1.0
    return risk


@kernel
def _series(c: float, z: float) -> float:
    """Gauss's hypergeometric function ₂F₁(1, 1; c; z)."""
    term, total, n = 1.0, 1.0, 0.0
    while term > _TINY * total:
        term *= (n + 1.0) * z / (c + n)
        total += term
        n += 1.0
    return total


@kernel
def _between(f: float, p: float) -> float:
    """E(1/F) for 1 < f < 2 and a small p: the series in powers of p."""
    term, total, n = 1.0, 1.0, 0.0
    while abs(term) > _TINY * abs(total):
        term *= (n + 1.0) * p / (2.0 - f + n)
        total += term
        n += 1.0
    return p / (f - 1.0) * total + math.pow(p / (1.0 - p), f) * math.pi / math.sin(math.pi * f)


@kernel
def _inverse_variances(sample: Floats, drawn: Floats, nodes: Floats, weights: Floats) -> Floats:
    found = np.zeros(sample.size)
    for i in range(sample.size):
        f, p = sample[i], drawn[i]
        q = 1.0 - p
        if q <= 0.0:
            continue
        if f > _LARGE:
            found[i] = q * p * p / (f * f * f)
        else:
            mean = _expected_inverse(f, p)
            found[i] = max(_second_moment(f, p, nodes, weights) - mean * mean, 0.0)
    return found


@kernel
def _second_moment(f: float, p: float, nodes: Floats, weights: Floats) -> float:
    """E(1/F²) = ∫₀^∞ e^(−fy) · p/(p + q·e^(−y)) · (y + ln(p + q·e^(−y))) dy."""
    q = 1.0 - p
    end = _FAR / f - math.log(p)
    if f > 1.0:
        end = min(end, _FAR / (f - 1.0))
    half = end / _PANELS / 2.0
    total = 0.0
    for panel in range(_PANELS):
        for j in range(nodes.size):
            y = half * (2.0 * panel + 1.0 + nodes[j])
            mixed = p + q * math.exp(-y)
            total += weights[j] * math.exp(-f * y) * p / mixed * (y + math.log(mixed))
    return total * half
