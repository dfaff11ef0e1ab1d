"""Memory: what is free in the process, given back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress


def give_back() -> None:
    """Give memory that large arrays have left free back to the system, where the C library can.

    Arrays of a million rows come and go between steps, checks and writing; glibc keeps their places
    for later, beside what the next stage takes.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
