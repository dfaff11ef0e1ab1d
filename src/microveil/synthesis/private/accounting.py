"""Zero-concentrated differential privacy: the cost of noise, and conversion to (ε, δ).

Costs are rationals, so that the parts of a budget add up exactly. A mechanism with sensitivity Δ
costs ρ = ½ (Δ / scale)², whether it adds Gaussian noise to counts or Gumbel noise to scores (Bun
and Steinke 2016; Cesar and Rogers 2021). Neighbouring tables differ by one record, added or
removed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, inf, log1p, nextafter, sqrt

from microveil.errors import InternalError

_STEPS = 200
"""Bisection steps: more than a double has bits."""


def delta_of(rho: float, epsilon: float) -> float:
    """Smallest δ for which ρ-zCDP implies (ε, δ)-DP (Canonne, Kamath and Steinke 2020).

    >>> round(delta_of(0.5, 4.0), 5)
    0.0002
    """
    if rho == 0:
        return 0.0
    low, high = 1.0 + 1e-12, (epsilon + 1) / (2 * rho) + 2
    for _ in range(_STEPS):
        order = (low + high) / 2
        if (2 * order - 1) * rho - epsilon + log1p(-1 / order) < 0:
            low = order
        else:
            high = order
    exponent = (high - 1) * (high * rho - epsilon) + high * log1p(-1 / high)
    return min(exp(min(exponent, 700.0)) / (high - 1), 1.0)


def epsilon_of(rho: float, delta: float) -> float:
    """Smallest ε for which ρ-zCDP implies (ε, δ)-DP.

    >>> round(epsilon_of(0.5, 1e-9), 2)
    6.47
    """
    low, high = 0.0, 1.0
    while delta_of(rho, high) > delta:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if delta_of(rho, middle) <= delta else (middle, high)
    return high


def rho_of(epsilon: float, delta: float) -> Fraction:
    """Largest ρ (to nine digits, never more) for which ρ-zCDP implies (ε, δ)-DP.

    >>> round(float(rho_of(1.0, 1e-9)), 5)
    0.01497
    """
    low, high = 0.0, epsilon + 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if delta_of(middle, epsilon) <= delta else (low, middle)
    # Slightly less than the solution, so that rounding never weakens the guarantee.
    return Fraction(low) * (1 - Fraction(1, 10**9))


def scale_for(rho: Fraction, sensitivity: int = 1) -> float:
    """Smallest scale (rounded up) of noise that costs at most ρ.

    >>> scale_for(Fraction(1, 2)), scale_for(Fraction(1, 8), sensitivity=3)
    (1.0, 6.0)
    """
    scale = sensitivity * sqrt(1 / (2 * rho))
    while cost_of(scale, sensitivity) > rho:
        scale = nextafter(scale, inf)
    return scale


def cost_of(scale: float, sensitivity: int = 1) -> Fraction:
    """The exact cost of noise of a given scale."""
    return Fraction(sensitivity) ** 2 / (2 * Fraction(scale) ** 2)


@dataclass
class Spending:
    """A budget and what was spent from it; it cannot be overdrawn."""

    total: Fraction
    items: list[tuple[str, Fraction]] = field(default_factory=list)

    @property
    def spent(self) -> Fraction:
        """What was spent so far."""
        return sum((cost for _, cost in self.items), Fraction(0))

    @property
    def left(self) -> Fraction:
        """What is left."""
        return self.total - self.spent

    def take(self, cost: Fraction, purpose: str) -> Fraction:
        """Charge a cost before noise is drawn for it."""
        if cost > self.left:
            raise InternalError("A privacy budget would have been overdrawn.")
        self.items.append((purpose, cost))
        return cost

    def shares(self) -> dict[str, str]:
        """Exact share of the budget spent on each purpose, as a fraction in text form.

        >>> spending = Spending(Fraction(3, 7))
        >>> _ = spending.take(Fraction(1, 7), "counts")
        >>> spending.shares()
        {'counts': '1/3'}
        """
        by_purpose: dict[str, Fraction] = {}
        for purpose, cost in self.items:
            by_purpose[purpose] = by_purpose.get(purpose, Fraction(0)) + cost / self.total
        return {purpose: str(share) for purpose, share in by_purpose.items()}
