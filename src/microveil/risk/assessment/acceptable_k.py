"""How large k should be for a table of a given size."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ACCEPTABLE_K: Mapping[int, int] = {51_000: 10, 105_000: 7, 260_000: 5}
"""Largest number of records → smallest acceptable k (St Petersburg lab report, 2022).

Above the last size, the last k goes on: larger tables are not asked for less.
"""


def acceptable_k(n_records: int, thresholds: Mapping[int, int] | None = None) -> int:
    """The smallest k that is acceptable for so many records.

    >>> [acceptable_k(n) for n in (51_000, 51_001, 260_000, 10_000_000)]
    [10, 7, 5, 5]
    """
    table = sorted((ACCEPTABLE_K if thresholds is None else thresholds).items())
    return next((k for limit, k in table if n_records <= limit), table[-1][1])
