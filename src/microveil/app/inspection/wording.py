"""Shares in words."""

from __future__ import annotations

ALMOST = 0.005


def percent(share: float) -> str:
    """Format a share as a percentage, with 0 and 100 only if they are exact.

    >>> percent(0.999), percent(1.0), percent(0.0001)
    ('99 %', '100 %', 'under 1 %')
    """
    if 0 < share < ALMOST:
        return "under 1 %"
    if 1 - ALMOST <= share < 1:
        return "99 %"
    return f"{share:.0%}".replace("%", " %")
