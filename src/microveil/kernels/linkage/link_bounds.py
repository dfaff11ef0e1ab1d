"""Shared by all linkage searches: candidates, ties within rounding, threads."""

from collections.abc import Callable
from typing import NamedTuple

from microveil.arrays import Floats, Longs
from microveil.cores import map_on_cores
from microveil.kernels.jit import kernel

CLOSE = 1e-9
"""Distances whose ratio differs from one by less than this are tied but for rounding."""
NOTHING = 1e-28
_CHUNK = 4096


class Candidates(NamedTuple):
    """The records that queries are linked to: distinct rows, and how many each stands for."""

    points: Floats
    weights: Longs


def in_threads(work: Callable[[Longs], None], rows: Longs, chunk_size: int = _CHUNK) -> None:
    """Do the work on chunks of rows, on all cores; kernels release the GIL."""
    chunks = [rows[start : start + chunk_size] for start in range(0, len(rows), chunk_size)]
    map_on_cores(work, chunks)


@kernel
def limits(bound: float) -> tuple[float, float]:
    """Two limits: below the first a record beats the bound, up to the second it ties."""
    return bound * (1 - CLOSE) - NOTHING, bound * (1 + CLOSE) + NOTHING
