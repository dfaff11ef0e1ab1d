"""Zero-concentrated differential privacy, and back to ε and δ."""

from __future__ import annotations

import math
from fractions import Fraction


def zcdp_epsilon(rho: float, delta: float) -> float:
    """The ε that ρ keeps at δ (Canonne, Kamath & Steinke 2020), the best over all orders.

    Never more than ρ + 2·√(ρ·ln(1/δ)) (Bun & Steinke 2016).

    >>> round(zcdp_epsilon(0.05, 1e-6), 3) <= 1.712
    True
    """
    if rho == 0:
        return 0.0
    if not delta > 0:
        return math.inf
    low, high = 1e-6, max(10.0, 10 * math.sqrt(math.log(1 / delta) / rho))
    third = (math.sqrt(5) - 1) / 2
    for _ in range(200):
        one, other = high - third * (high - low), low + third * (high - low)
        if _at_order(one, rho, delta) < _at_order(other, rho, delta):
            high = other
        else:
            low = one
    # Any order gives a valid ε, so that a search that stops early is merely less tight.
    best = min(_at_order((low + high) / 2, rho, delta), _classic(rho, delta))
    return max(best * (1 + 1e-12), 0.0)


def _at_order(above_one: float, rho: float, delta: float) -> float:
    order = 1 + above_one
    return order * rho + math.log(1 / (order * delta)) / above_one + math.log(above_one / order)


def _classic(rho: float, delta: float) -> float:
    return rho + 2 * math.sqrt(rho * math.log(1 / delta))


def zcdp_rho(epsilon: float, delta: float) -> Fraction:
    """The largest ρ, rounded down, that ε and δ allow."""
    low, high = 0.0, 1.0
    while zcdp_epsilon(high, delta) <= epsilon:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        if zcdp_epsilon(middle, delta) <= epsilon:
            low = middle
        else:
            high = middle
    return Fraction(low)
