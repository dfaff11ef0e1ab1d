"""Memory and disk: how much is free, and how a limit is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from microveil.errors import InputError

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}
LEAST = 512 * 2**20
"""The smallest limit that leaves room to work."""
SHARE = 0.6
"""Share of the free memory that a run may use by default."""
MACHINE = Path("/proc/meminfo")
CGROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")
ROOT = "/"


def memory_limit(said: str | int | None) -> int:
    """Bytes that a run may use: as given (``4GB``, ``2GiB``), or a share of what is free.

    It is never more than the machine has, or its container may use.

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
    return max(min(found, most_memory()), LEAST)


def free_memory() -> int:
    """Bytes that are free now, on the machine or in its container."""
    found = _of_machine("MemAvailable")
    for allowed, used in _containers():
        found = min(found, max(allowed - used, 0))
    return found


def most_memory() -> int:
    """Bytes that the machine has, or that its container may use."""
    return min([_of_machine("MemTotal"), *(allowed for allowed, _ in _containers())])


def _of_machine(what: str) -> int:
    with suppress(OSError, ValueError, StopIteration):
        lines = MACHINE.read_text(encoding="ascii").splitlines()
        line = next(line for line in lines if line.startswith(what))
        return int(line.split()[1]) * 1024
    return 4 * 2**30


def _containers() -> Iterator[tuple[int, int]]:
    """What each control group that this process is in may use, and what it uses.

    Linux has two ways of telling. Pages of files that can be dropped at once count as free.
    """
    for folder, (limit, usage, inactive) in _groups():
        with suppress(OSError, ValueError):  # no such group, or no limit ("max")
            allowed = int((folder / limit).read_text(encoding="ascii"))
            used = int((folder / usage).read_text(encoding="ascii"))
            yield allowed, max(used - _line(folder / "memory.stat", inactive), 0)


def _groups() -> Iterator[tuple[Path, tuple[str, str, str]]]:
    """The groups of this process, from its own up to the first."""
    second = ("memory.max", "memory.current", "inactive_file")
    first = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
    told = [f"0::{ROOT}", f"0:memory:{ROOT}"]
    with suppress(OSError):
        told += OWN_GROUPS.read_text(encoding="utf-8").splitlines()
    for line in dict.fromkeys(told):
        number, kinds, path = line.split(":", 2)
        if kinds not in ("", "memory") or (kinds == "" and number != "0"):
            continue
        root, files = (CGROUPS, second) if kinds == "" else (CGROUPS / "memory", first)
        inside = Path(path.lstrip(ROOT))
        for one in (inside, *inside.parents) if path != ROOT else (Path(),):
            yield root / one, files


def _line(file: Path, name: str) -> int:
    with suppress(OSError, ValueError, StopIteration):
        lines = file.read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith(f"{name} ")).split()[1])
    return 0


def free_disk(folder: Path) -> int:
    """Bytes that can still be written in a folder."""
    stats = os.statvfs(folder)
    return stats.f_bavail * stats.f_frsize
