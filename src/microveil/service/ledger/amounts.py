"""Amounts of privacy loss as exact fractions on a grid: sums and comparisons are exact.

Decimals of up to 18 places and fractions with a denominator up to 30 lie on the grid. Other
numbers are rounded conservatively: a price up, a cap down. The size of all sums is then bounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from microveil.errors import InputError

GRID = math.lcm(10**18, *range(1, 31))
LARGEST = 10**9
"""Largest amount allowed: anything larger would be a typing error, not a budget."""
_LONGEST = 400
"""Largest number of digits of an amount given as text."""

Amount = Fraction | int | str | float | Decimal
Amounts = Mapping[str, Fraction]
"""Unit ("epsilon", "delta", "rho") to how much of it."""


def exact(value: Amount) -> Fraction:
    """The number as written; a float means its shortest decimal, so 0.1 is one tenth.

    >>> exact(0.1), exact("1/3"), exact("1e-6")
    (Fraction(1, 10), Fraction(1, 3), Fraction(1, 1000000))
    """
    try:
        number = Fraction(_plain(value))
    except (ArithmeticError, ValueError):
        raise InputError("An amount of privacy loss must be a finite number.") from None
    if not 0 <= number <= LARGEST:
        raise InputError(f"An amount of privacy loss must lie between 0 and {LARGEST:,}.")
    return number


def _plain(value: Amount) -> Fraction | int | str | Decimal:
    """Input for a fraction; refuses "1e999999999", a number of a billion digits."""
    text = repr(value) if isinstance(value, float) else value
    if isinstance(text, str):
        if len(text) > _LONGEST:
            raise ValueError
        text = text if "/" in text else Decimal(text.strip())
    if isinstance(text, Decimal) and (not text.is_finite() or abs(text.adjusted()) > _LONGEST):
        raise ValueError
    return text


def price(value: Amount) -> Fraction:
    """The amount charged: rounded up to the grid.

    >>> price("1/3"), price("1/37") > Fraction(1, 37)
    (Fraction(1, 3), True)
    """
    return Fraction(math.ceil(exact(value) * GRID), GRID)


def cap(value: Amount) -> Fraction:
    """The amount that may be spent: rounded down to the grid."""
    return Fraction(math.floor(exact(value) * GRID), GRID)


def prices(amounts: Mapping[str, Amount]) -> dict[str, Fraction]:
    """The price in each unit."""
    return {unit: price(value) for unit, value in amounts.items()}


def caps(amounts: Mapping[str, Amount]) -> dict[str, Fraction]:
    """The cap in each unit."""
    return {unit: cap(value) for unit, value in amounts.items()}


def write_amounts(amounts: Amounts) -> dict[str, str]:
    """Amounts as text for files and tables: ``{"epsilon": "1/10"}``."""
    return {unit: str(amounts[unit]) for unit in sorted(amounts)}


def read_amounts(texts: Mapping[str, str]) -> dict[str, Fraction]:
    """Amounts from what :func:`write_amounts` wrote."""
    return {unit: Fraction(text) for unit, text in texts.items()}
