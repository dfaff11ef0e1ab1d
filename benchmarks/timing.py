"""Medians of repeated runs and peaks of memory, for all benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path


def medians(work: Mapping[str, Callable[[], object]], repeat: int = 5) -> dict[str, float]:
    """Median seconds of each piece of work, taken in turns so that noise hits all alike."""
    taken: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeat):
        for name, call in work.items():
            taken[name].append(seconds(call))
    return {name: statistics.median(values) for name, values in taken.items()}


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


def peak_bytes(call: Callable[[], object]) -> int:
    """Peak of memory during a call above what the process held before (Linux)."""
    return seconds_and_peak(call)[1]


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise LookupError(field)
