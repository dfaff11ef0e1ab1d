"""Medians of repeated runs and peaks of memory, for all benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path


def medians(work: Mapping[str, Callable[[], object]], repeat: int = 5) -> dict[str, float]:
    """Median seconds of each piece of work, taken in turns so that noise hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeat):
        for name, call in work.items():
            started = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - started)
    return {name: statistics.median(values) for name, values in seconds.items()}


def peak_bytes(call: Callable[[], object]) -> int:
    """Peak of this process's memory during a call above what it held before (Linux)."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _status("VmRSS")
    kept = call()
    peak = _status("VmHWM") - before
    del kept
    return max(peak, 0)


def _status(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise LookupError(field)
