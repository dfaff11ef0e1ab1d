"""Zero-concentrated differential privacy: the cost of noise, and what is spent of a budget.

Costs are rationals, so that the parts of a budget add up exactly. A mechanism with sensitivity Δ
costs ρ = ½ (Δ / scale)², whether it adds Gaussian noise to counts or Gumbel noise to scores (Bun
and Steinke 2016; Cesar and Rogers 2021). Neighbouring tables differ by one record, added or
removed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, nextafter, sqrt

from microveil.errors import InternalError


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
