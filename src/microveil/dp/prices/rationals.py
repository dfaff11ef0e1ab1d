"""Exact numbers: privacy losses are added up as fractions, so that rounding loses nothing."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, PlainSerializer, WithJsonSchema

from microveil.errors import InputError


def exact(number: Any) -> Fraction:
    """A number as a fraction; a float is read as the decimal it prints as.

    >>> exact(0.1), exact("1e-6"), exact("1/3")
    (Fraction(1, 10), Fraction(1, 1000000), Fraction(1, 3))
    """
    fraction = _fraction(number)
    if fraction is None:
        raise InputError("A privacy loss is a number, or text such as '1/3' or '1e-6'.")
    return fraction


def _fraction(number: Any) -> Fraction | None:
    if isinstance(number, bool):
        return None
    if isinstance(number, float):
        return Fraction(repr(number)) if math.isfinite(number) else None
    if isinstance(number, int | Fraction):
        return Fraction(number)
    if isinstance(number, Decimal | str):
        return _from_text(str(number).strip())
    return None


MOST_CHARACTERS = 400
"""Longer texts are no number that anybody meant, and cost time to read."""
LARGEST_EXPONENT = 400


def _from_text(text: str) -> Fraction | None:
    if len(text) > MOST_CHARACTERS:
        return None
    try:
        if "/" in text:
            return Fraction(text)
        decimal = Decimal(text)
    except (ValueError, ZeroDivisionError, InvalidOperation):
        return None
    usable = decimal.is_finite() and abs(decimal.adjusted()) <= LARGEST_EXPONENT
    return Fraction(decimal) if usable else None


def _read(raw: Any) -> Fraction:
    fraction = _fraction(raw)
    if fraction is None:
        raise ValueError("Input should be a number, or text such as '1/3' or '1e-6'.")
    return fraction


def _not_negative(number: Fraction) -> Fraction:
    if number < 0:
        raise ValueError("Input should be 0 or more.")
    return number


def up(number: float) -> Fraction:
    """A float rounded up to a neighbour, as a fraction: an upper bound stays one."""
    return Fraction(math.nextafter(number, math.inf))


def as_float_above(number: Fraction) -> float:
    """The smallest float that is not below a fraction.

    >>> Fraction(as_float_above(Fraction(1, 10))) >= Fraction(1, 10)
    True
    """
    try:
        near = float(number)
    except OverflowError:
        return math.inf
    return near if math.isinf(near) or Fraction(near) >= number else math.nextafter(near, math.inf)


def as_float_below(number: Fraction) -> float:
    """The largest float that is not above a fraction."""
    return -as_float_above(-number)


def readable(number: Fraction) -> str:
    """A fraction for people: a short decimal where it is exact, else rounded with ``about``.

    >>> readable(Fraction(1, 2)), readable(Fraction(1, 1000000)), readable(Fraction(1, 3))
    ('0.5', '1e-06', 'about 0.3333')
    """
    near = float(number)
    short = f"{near:.12g}"
    if _from_text(short) == number:
        return short
    return f"about {near:.4g}"


Rational = Annotated[
    Fraction,
    BeforeValidator(_read),
    AfterValidator(_not_negative),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "anyOf": [{"type": "number", "minimum": 0}, {"type": "string"}],
            "description": "An exact number: 0.5, or text such as '1/3' or '1e-6'.",
        }
    ),
]
"""A number of 0 or more, kept exactly; written as text such as ``1/10``."""
