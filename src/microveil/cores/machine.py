"""What the machine, the scheduler and the container leave to this process."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_GROUPS = Path("/proc/self/cgroup")


def usable_cores() -> int:
    """Cores that this process may run on: its affinity mask and its container's quota count.

    >>> 1 <= usable_cores() <= (os.cpu_count() or 1)
    True
    """
    try:
        found = len(os.sched_getaffinity(0))
    except AttributeError:  # only Linux has affinity masks in Python
        found = os.cpu_count() or 1
    quota = container_quota()
    return found if quota is None else max(1, min(found, int(quota)))


def container_quota() -> float | None:
    """Cores' worth of time that the control groups of this process grant; None without a limit.

    Every group above the own one limits, too. Version 2 writes quota and period in one file,
    version 1 in two.
    """
    found: list[float] = []
    with suppress(OSError):
        for line in OWN_GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, place = line.split(":", 2)
            if not controllers:
                found += _quotas(CGROUPS, place, _version_two)
            elif "cpu" in controllers.split(","):
                found += _quotas(CGROUPS / "cpu", place, _version_one)
    return min(found, default=None)


def _quotas(root: Path, place: str, read: Callable[[Path], list[str]]) -> list[float]:
    """Quotas of a group and of those above it; in a container its own group is the root."""
    own = root / place.strip("/")
    folders = [own, *(above for above in own.parents if above.is_relative_to(root))]
    found = []
    for folder in folders:
        with suppress(OSError, ValueError):
            quota, period = (float(text) for text in read(folder))
            if quota > 0 and period > 0:
                found.append(quota / period)
    return found


def _version_two(folder: Path) -> list[str]:
    return (folder / "cpu.max").read_text(encoding="ascii").split()


def _version_one(folder: Path) -> list[str]:
    names = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
    return [(folder / name).read_text(encoding="ascii") for name in names]
