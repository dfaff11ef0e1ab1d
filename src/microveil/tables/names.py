"""Names for our own columns that do not clash with those of users."""

from __future__ import annotations

from collections.abc import Iterable


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no column has: the requested one, with underscores appended as needed.

    >>> free_name("n", ["n", "n_", "a"])
    'n__'
    """
    taken = set(taken)
    while wanted in taken:
        wanted += "_"
    return wanted
