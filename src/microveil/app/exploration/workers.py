"""Number of points processed at the same time."""

from __future__ import annotations

import os
from importlib import import_module

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
    asked = min(os.cpu_count() or 1, MOST) if wanted is None else wanted
    number = max(1, min(asked, n_points))
    return number if number == 1 or _loops_share_threads() else 1


def _loops_share_threads() -> bool:
    """Whether compiled parallel loops may be started by several threads at once.

    numba's fallback layer aborts the whole process in that case; it is the only one if neither
    OpenMP nor TBB can be loaded.
    """
    for layer in ("omppool", "tbbpool"):
        try:
            import_module(f"numba.np.ufunc.{layer}")
        except ImportError:
            continue
        return True
    return False
