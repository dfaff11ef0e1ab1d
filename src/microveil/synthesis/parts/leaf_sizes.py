"""Leaf sizes: how many records a tree may describe at the finest, by the size of the table."""

from __future__ import annotations

MANY_RECORDS = 20_000
"""From this size on a single tree keeps finer relations, which most people want of it."""
LEAST_LEAVES = 10
"""A default leaf holds at most one part in this many of the records."""


def leaf_size(
    wanted: int | None, n_records: int, *, large: int, small: int, many: float = MANY_RECORDS
) -> int:
    """The wanted leaf size, or the default of a large or a small table.

    >>> [leaf_size(None, n, large=15, small=60) for n in (50_000, 2_000, 300, 10)]
    [15, 60, 30, 15]
    """
    if wanted is not None:
        return wanted
    if n_records >= many:
        return large
    return max(min(small, n_records // LEAST_LEAVES), large)
