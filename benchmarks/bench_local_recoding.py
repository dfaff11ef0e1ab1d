"""Local recoding of Adult (30,162 records, nine keys, hierarchies), and how it grows.

Goals: at most ARX's loss (0.0306 / 0.0519 / 0.0820 / 0.197 at k = 2 / 5 / 10 / 100; ARX takes 2 to
42 s of CPU) in at most 5 s. CPU seconds, for other work shares the cores; the first call of an
installation compiles the loops, not counted.

Found, two cores shared with other work: greedy 0.0201 / 0.0505 / 0.0749 / 0.1931 in 2.3 / 2.8 / 2.8
/ 3.6 s, rounds 0.0217 / 0.0525 / 0.0766 / 0.1930 in 0.3 to 0.7 s. Adult drawn to a million records
7 s and 83 MiB; a million records of six independent keys 55 s of CPU (29 s by the clock), 253 MiB;
100,000 of them 15 s, 73 MiB, most of it the words by which labels are compared in a block. Merging
nearest classes from the bottom up came to 0.024 / 0.066 / 0.103 / 0.294, worse than one sweep
(0.0217 / 0.0522 / 0.0763 / 0.193), and annealing from there took ten times as long to get near it.
Eight keys, k = 5 and a model of the ninth column (occupation, or salary): without and with the
improving of classes 0.0319 and 0.0297 for distinct 3-diversity, 0.0457 and 0.0388 for entropy,
0.0388 and 0.0336 for (4, 3)-recursive, 0.1594 and 0.127 for 0.4-closeness in 3 to 7 s; 0.1196 and
0.101 for two salary classes, 0.2401 and 0.191 for 0.2-closeness to salaries in 7 to 9 s. Splitting
classes by a label as a further change gained 1 % at most and was left out. Trying levels by the
squares of their costs is better for small k (0.0516 at k = 5). A sweep spends its time on the
labels' words: summing those of two halves of the keys beforehand made it three times as fast at k =
100. Annealing twenty times as long gains 2 to 3 % (0.0491 at k = 5).
"""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import polars as pl
from timing import seconds_and_peak

from microveil.methods.local_recoding.step import LocalRecoding
from microveil.privacy import LDiversity, TCloseness
from microveil.tables import Table

ADULT = Path(__file__).resolve().parent.parent / "tests" / "data" / "adult"
MODELS: dict[str, LDiversity | TCloseness] = {
    "3 occupations": LDiversity(l=3, column="occupation"),
    "entropy of 3 occupations": LDiversity(l=3, column="occupation", kind="entropy"),
    "0.4-close occupations": TCloseness(t=0.4, column="occupation"),
    "both salary classes": LDiversity(l=2, column="salary-class"),
    "0.2-close salaries": TCloseness(t=0.2, column="salary-class"),
}
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
    for what, model in MODELS.items():
        step = LocalRecoding(
            k=5,
            models=[model],
            columns=[name for name in frame.columns if name != model.column],
            hierarchies={name: path for name, path in trees.items() if name != model.column},
        )
        measure(f"Adult k = 5, {what}", frame, step)
    for k, theirs in ARX.items():
        for algorithm in ("greedy", "rounds"):
            step = LocalRecoding(k=k, columns=frame.columns, hierarchies=trees, algorithm=algorithm)
            measure(f"Adult k = {k} {algorithm} (ARX {theirs})", frame, step)


if __name__ == "__main__":
    main()
