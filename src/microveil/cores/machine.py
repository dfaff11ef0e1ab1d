"""What the machine, the scheduler and the container leave to this process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
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
    # Asked for by every loop on several cores: files are read once a second at most.
    quota = _quota_at(int(time.monotonic()), OWN_GROUPS, CGROUPS)
    return found if quota is None else max(1, min(found, int(quota)))


def container_quota() -> float | None:
    """Cores' worth of time that the control groups of this process grant; None without a limit.

    Every group above the own one limits, too. Version 2 writes quota and period in one file,
    version 1 in two.
    """
    return _read_quota(OWN_GROUPS, CGROUPS)


@lru_cache(maxsize=1)
def _quota_at(second: int, own: Path, groups: Path) -> float | None:  # noqa: ARG001  a key
    return _read_quota(own, groups)


def _read_quota(own: Path, groups: Path) -> float | None:
    found: list[float] = []
    with suppress(OSError):
        for line in own.read_text(encoding="utf-8").splitlines():
            _, controllers, place = line.split(":", 2)
            if not controllers:
                found += _quotas(groups, place, _version_two)
            elif "cpu" in controllers.split(","):
                found += _quotas(groups / "cpu", place, _version_one)
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
