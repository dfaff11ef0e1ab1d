"""Names of our own for columns beside those of users."""

from __future__ import annotations

from collections.abc import Iterable


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """A name that no column has: the wanted one, with as many strokes behind it as it takes.

    >>> free_name("n", ["n", "n_", "a"])
    'n__'
    """
    taken = set(taken)
    while wanted in taken:
        wanted += "_"
    return wanted
