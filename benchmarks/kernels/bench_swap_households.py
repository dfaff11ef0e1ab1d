"""Targeted record swapping: the kernel alone and the whole step, warm.

Households of one to six persons in four levels of areas, two profiles, 5 % swapped. sdcMicro's
recordSwap takes 0.198 s of CPU for 10,000 such households on the same machine.
"""

import statistics

import numpy as np
import polars as pl
from timing import seconds, seconds_and_peak

from microveil.kernels.swapping.swap_households import line_up, no_swaps, swap_households
from microveil.methods.swap_records.step import SwapRecords
from microveil.tables import Table

LEVELS = ["nuts1", "nuts2", "nuts3", "lau2"]


def people(n_households: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    size = rng.integers(1, 7, n_households)
    home = np.repeat(np.arange(n_households), size)
    areas = [rng.integers(1, 5, n_households)]
    for n_parts in (6, 13, 6):
        areas.append(areas[-1] * 100 + rng.integers(1, n_parts, n_households))
    frame = {name: area[home] for name, area in zip(LEVELS, areas, strict=True)}
    frame |= {"home": home, "type": rng.integers(1, 11, n_households)[home]}
    for name, n in (("age", 8), ("sex", 3), ("national", 6)):
        frame[name] = rng.integers(1, n, len(home))
    return pl.DataFrame(frame)


def step(k: int | None) -> SwapRecords:
    return SwapRecords(
        hierarchy=LEVELS,
        household="home",
        similar=[["type"], ["nuts1"]],
        risk_columns=["age", "sex", "national"],
        k=k,
    )


def main() -> None:
    for n in (286_000, 100_000, 10_000):
        table = Table(people(n))
        touched = table.frame.estimated_size()
        for k in (None, 3):
            method = step(k)
            method.apply(table.take(np.arange(1000)), np.random.default_rng(1))
            call = lambda m=method, t=table: m.apply(t, np.random.default_rng(1))  # noqa: E731
            _, peak = seconds_and_peak(call)
            taken = statistics.median(seconds(call) for _ in range(5))
            facts = call().facts
            print(
                f"step, {n:>6} households, {table.height:>7} persons, k = {k}:",
                f"{taken * 1e3:7.1f} ms, peak {peak / touched:.1f} × columns,",
                f"{facts['n_swapped']} households swapped",
            )
    for n in (1_000_000, 100_000):
        taken = statistics.median(kernel_seconds(n) for _ in range(3))
        print(f"kernel, all of {n:>7} households seek: {taken * 1e3:7.1f} ms")


def kernel_seconds(n: int) -> float:
    rng = np.random.default_rng(0)
    area = rng.integers(0, 2000, n).astype(np.int32)
    donors = line_up(rng.integers(0, 50, (2, n)).astype(np.int32), rng.random(n))
    seekers = np.argsort(area, kind="stable").astype(np.int32)
    limits = np.full(2000, n)
    return seconds(lambda: swap_households(seekers, area, limits, n, donors, no_swaps(n)))


if __name__ == "__main__":
    main()
