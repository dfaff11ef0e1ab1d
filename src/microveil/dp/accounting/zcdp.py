"""Pure privacy in the currency of zero-concentrated differential privacy."""

from __future__ import annotations

from fractions import Fraction


def pure_as_zcdp(epsilon: Fraction) -> Fraction:
    """The ρ of pure privacy: ε² / 2 (Bun & Steinke 2016)."""
    return epsilon * epsilon / 2
