"""Amounts of privacy loss as exact fractions on one grid: sums never drift, checks never guess.

A decimal of up to 18 places and a fraction with a denominator up to 30 lie on the grid. What does
not is rounded against the spender: a price up, a cap down. All sums then have a bounded size.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from microveil.errors import InputError

GRID = math.lcm(10**18, *range(1, 31))
LARGEST = 10**9
"""No amount may be larger: it would be a slip of the keyboard, not a budget."""
_LONGEST = 400
"""Digits of an amount that is written down."""

Amount = Fraction | int | str | float | Decimal
Amounts = Mapping[str, Fraction]
"""Unit ("epsilon", "delta", "rho") to how much of it."""


def exact(value: Amount) -> Fraction:
    """The number that was written; a float means its shortest decimal, so 0.1 is one tenth.

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
    """What a fraction can be made of; "1e999999999" would be a number of a billion digits."""
    text = repr(value) if isinstance(value, float) else value
    if isinstance(text, str):
        if len(text) > _LONGEST:
            raise ValueError
        text = text if "/" in text else Decimal(text.strip())
    if isinstance(text, Decimal) and (not text.is_finite() or abs(text.adjusted()) > _LONGEST):
        raise ValueError
    return text


def price(value: Amount) -> Fraction:
    """What is charged: the next point of the grid above.

    >>> price("1/3"), price("1/37") > Fraction(1, 37)
    (Fraction(1, 3), True)
    """
    return Fraction(math.ceil(exact(value) * GRID), GRID)


def cap(value: Amount) -> Fraction:
    """What may be spent: the next point of the grid below."""
    return Fraction(math.floor(exact(value) * GRID), GRID)


def prices(amounts: Mapping[str, Amount]) -> dict[str, Fraction]:
    """Each unit's price."""
    return {unit: price(value) for unit, value in amounts.items()}


def caps(amounts: Mapping[str, Amount]) -> dict[str, Fraction]:
    """Each unit's cap."""
    return {unit: cap(value) for unit, value in amounts.items()}


def written(amounts: Amounts) -> dict[str, str]:
    """Amounts as text for files and tables: ``{"epsilon": "1/10"}``."""
    return {unit: str(amounts[unit]) for unit in sorted(amounts)}


def read(texts: Mapping[str, str]) -> dict[str, Fraction]:
    """Amounts from what :func:`written` wrote."""
    return {unit: Fraction(text) for unit, text in texts.items()}
