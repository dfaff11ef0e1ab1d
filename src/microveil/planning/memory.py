"""Memory and disk: how much is free, and how a limit is written."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from microveil.errors import InputError

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
LEAST = 512 * 2**20
"""The smallest limit that leaves room to work."""
SHARE = 0.6
"""Share of the free memory that a run may use by default."""


def memory_limit(said: str | int | None) -> int:
    """Bytes that a run may use: as given (``4GB``, ``2GiB``), or a share of what is free.

    >>> memory_limit("2GiB") == 2 * 2**30
    True
    """
    if said is None:
        return max(int(SHARE * free_memory()), LEAST)
    if isinstance(said, int):
        found = said
    else:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmg]?i?)b?\s*", said.lower())
        if match is None or match[2] == "i":
            raise InputError("A memory limit is a number and a unit, such as 4GB or 512MiB.")
        found = int(float(match[1]) * UNITS[match[2]])
    if found < LEAST:
        raise InputError(
            "A memory limit of {found} bytes is too small: give at least 512MiB.", found=found
        )
    return found


def free_memory() -> int:
    """Bytes that are free now, on the machine or in its container."""
    found = 4 * 2**30
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        line = next(line for line in lines if line.startswith("MemAvailable"))
        found = int(line.split()[1]) * 1024
    with suppress(OSError, ValueError):
        allowed = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
        used = Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii").strip()
        found = min(found, max(int(allowed) - int(used), 0))
    return found


def free_disk(folder: Path) -> int:
    """Bytes that can still be written in a folder."""
    stats = os.statvfs(folder)
    return stats.f_bavail * stats.f_frsize
