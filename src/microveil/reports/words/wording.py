"""Numbers and names formatted for readers."""

from __future__ import annotations

from typing import Any

from microveil.plots.small_counts import SMALL_COUNT
from microveil.reports.audience import SMALL
from microveil.reports.words.spec_words import fact_name
from microveil.texts import Message, compose, join

WITH_FRACTIONS = 10_000
"""Numbers from here on are shown as whole numbers."""


def number(value: float) -> str:
    """A number with thousands separators; fractions to four digits.

    >>> number(12345), number(0.123456), number(5.0)
    ('12,345', '0.1235', '5')
    """
    if float(value).is_integer():
        return compose("{n:,}", n=int(value))
    if abs(value) < WITH_FRACTIONS:
        return compose("{value:,.4g}", value=value)
    return compose("{value:,.0f}", value=value)


def count(value: int | str | None) -> str:
    """A number of records; hidden and small ones in words."""
    if value is None:
        return Message("report.not_shown", "not shown")
    if value == SMALL:
        return Message("report.fewer", "fewer than {n}", n=SMALL_COUNT)
    return number(int(value))


def percent(share: float | None, *, rounded: bool = False) -> str:
    """A share in percent; a rounded one says so, and one that is hidden, too.

    >>> percent(0.12345), percent(0.00001), percent(1.0), percent(0.5, rounded=True)
    ('12.3%', '0.001%', '100%', 'about 50%')
    """
    if share is None:
        return Message("report.not_shown", "not shown")
    if rounded:
        return Message("report.about", "about {share:.0%}", share=share)
    return compose("{share:%}", share=share)


def label(name: str) -> str:
    """The name of a fact or parameter in words, in the language of the report.

    >>> label("n_changed"), label("range_share")
    ('changed', 'range share')
    """
    return fact_name(name)


def describe_value(name: str, value: Any) -> str:
    """One plain value in words; its name determines the unit."""
    if value is None:
        return _none()
    if isinstance(value, bool):
        return Message("report.yes", "yes") if value else Message("report.no", "no")
    if isinstance(value, int | float):
        return percent(value) if name.endswith("share") and 0 <= value <= 1 else number(value)
    if isinstance(value, list):
        return join([describe_value(name, one) for one in value], ", ") or _none()
    if isinstance(value, dict):
        parts = [
            compose("{key}: {told}", key=key, told=describe_value(name, one))
            for key, one in value.items()
        ]
        return join(parts, "; ") or _none()
    return str(value)


def _none() -> Message:
    return Message("report.none", "none")
