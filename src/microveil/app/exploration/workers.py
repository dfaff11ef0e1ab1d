"""Number of points processed at the same time."""

from __future__ import annotations

from microveil.cores import n_threads
from microveil.errors import InputError

MOST = 8
"""More workers than this cost more memory than they save time: each holds a release."""


def usable_workers(wanted: int | None, n_points: int) -> int:
    """The number of threads: as given, otherwise one per core and point, up to :data:`MOST`.

    >>> usable_workers(1, 20)
    1
    """
    if wanted is not None and wanted < 1:
        raise InputError("workers is a whole number, one or larger.")
    asked = min(n_threads(), MOST) if wanted is None else wanted
    return max(1, min(asked, n_points))
