"""Local recoding of Adult (30,162 records, nine keys, hierarchies), and how it grows.

Goals: at most ARX's loss (0.0306 / 0.0519 / 0.0820 / 0.197 at k = 2 / 5 / 10 / 100; ARX takes 2 to
42 s of CPU) in at most 5 s. CPU seconds, for other work shares the cores; the first call of an
installation compiles the loops, not counted.

Found, two cores shared with other work: greedy 0.0201 / 0.0505 / 0.0749 / 0.1931 in 2.3 / 2.8 /
2.8 / 3.6 s, rounds 0.0217 / 0.0525 / 0.0766 / 0.1930 in 0.3 to 0.7 s. Adult drawn to a million
records 7 s and 83 MiB; a million records of six independent keys 55 s of CPU (29 s by the clock),
253 MiB; 100,000 of them 15 s, 73 MiB, most of it the words by which labels are compared in a
block. Merging nearest classes from the bottom up came to 0.024 / 0.066 / 0.103 / 0.294, worse than
one sweep (0.0217 / 0.0522 / 0.0763 / 0.193), and annealing from there took ten times as long to
get near it. Trying levels by the squares of their costs is better for small k (0.0516 at k = 5). A
sweep spends its time on the labels' words: summing those of two halves of the keys beforehand made
it three times as fast at k = 100. Annealing twenty times as long gains 2 to 3 % (0.0491 at k = 5).
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import polars as pl
from timing import seconds_and_peak

from microveil.methods.local_recoding import LocalRecoding
from microveil.tables import Table

ADULT = Path(__file__).resolve().parent.parent / "tests" / "data" / "adult"
ARX = {2: 0.0306, 5: 0.0519, 10: 0.0820, 100: 0.197}


def adult() -> tuple[pl.DataFrame, dict[str, str]]:
    paths = sorted(ADULT.glob("adult_hierarchy_*.csv"))
    names = {path.stem.removeprefix("adult_hierarchy_"): str(path) for path in paths}
    return pl.read_parquet(ADULT / "adult.parquet").select(list(names)), names


def measure(name: str, frame: pl.DataFrame, step: LocalRecoding) -> None:
    table = Table(frame)
    facts: dict[str, float] = {}
    started = time.process_time()
    wall, peak = seconds_and_peak(
        lambda: facts.update(step.apply(table, np.random.default_rng(1)).facts)
    )
    cpu = time.process_time() - started
    codes = frame.height * frame.width * 4
    print(
        f"{name:<34} loss {facts['loss']:.4f}   {facts['n_classes']:>6} classes   "
        f"CPU {cpu:6.2f} s, clock {wall:6.2f} s   peak {peak / 2**20:5.0f} MiB "
        f"({peak / codes:4.1f} × keys as int32)",
        flush=True,
    )


def independent(n: int) -> pl.DataFrame:
    """Six keys that are almost never the same for two records."""
    rng = np.random.default_rng(0)
    return pl.DataFrame({f"key{i}": rng.integers(0, 10 ** (1 + i % 3), n) for i in range(6)})


def main() -> None:
    frame, trees = adult()
    compile_loops = LocalRecoding(k=5, columns=frame.columns, hierarchies=trees)
    compile_loops.apply(Table(frame.head(500)), np.random.default_rng(1))
    rng = np.random.default_rng(0)
    for n in (1_000_000, 100_000):
        keys = independent(n)
        measure(f"independent {n:,} × 6", keys, LocalRecoding(k=5, columns=keys.columns))
        sample = frame[rng.integers(0, frame.height, n)]
        step = LocalRecoding(k=5, columns=frame.columns, hierarchies=trees)
        measure(f"Adult drawn to {n:,}", sample, step)
    for k, theirs in ARX.items():
        for algorithm in ("greedy", "rounds"):
            step = LocalRecoding(k=k, columns=frame.columns, hierarchies=trees, algorithm=algorithm)
            measure(f"Adult k = {k} {algorithm} (ARX {theirs})", frame, step)


if __name__ == "__main__":
    main()
