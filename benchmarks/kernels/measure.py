"""Seconds and peak memory of one call, for the kernel benchmarks."""

import time
from collections.abc import Callable
from pathlib import Path


def seconds(call: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def seconds_and_peak(call: Callable[[], object]) -> tuple[float, int]:
    """Wall time of one call, and the peak of memory above what the process held before (Linux).

    Memory that an earlier call has given back to the allocator is not counted again: measure the
    largest input first.
    """
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    taken = seconds(call)
    return taken, max(_status("VmHWM") - before, 0)


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise LookupError(field)
