"""Shuffling three columns given three others, numbers or one of them with twenty categories.

Seconds are medians of three runs; memory is the peak above what the process held before, over the
bytes of all six columns. sdcMicro 5.8.1 took 2.8 s for 100,000 × 5.

Goals: 100,000 × 3 given 3 in 1 s; memory 4 × the columns.

Found (two runs, load about 2): 100,000 in 0.10 s, with twenty categories 0.16 s; a million in 1.2
and 1.9 s, with categories in 1.5 and 5.5 s (the machine was shared); peak 3.9 × the columns.
"""

import statistics

import numpy as np
import polars as pl
from timing import seconds, seconds_and_peak

from microveil.methods.shuffle.step import Shuffle
from microveil.tables import Table

STEP = Shuffle(columns=["c0", "c1", "c2"], given=["c3", "c4", "c5"])


def table_of(n: int, *, categories: bool) -> Table:
    rng = np.random.default_rng(0)
    mixed = rng.normal(size=(n, 6)) @ rng.normal(size=(6, 6))
    frame = pl.DataFrame({f"c{i}": mixed[:, i] for i in range(6)})
    if categories:
        frame = frame.with_columns(c5=(pl.col("c5").rank() * 20 // (n + 1)).cast(pl.String))
    return Table(frame)


def main() -> None:
    rng = np.random.default_rng(1)
    STEP.apply(table_of(100, categories=True), rng)
    for n in (1_000_000, 100_000, 10_000):
        for categories in (False, True):
            table = table_of(n, categories=categories)
            _, peak = seconds_and_peak(lambda table=table: STEP.apply(table, rng))
            taken = statistics.median(
                seconds(lambda table=table: STEP.apply(table, rng)) for _ in range(3)
            )
            kind = "twenty categories" if categories else "numbers only"
            print(
                f"shuffle {n:>8} × 3 given 3, {kind:<17}: {taken * 1e3:8.1f} ms",
                f"peak {peak / (48 * n):.1f} × columns" if n == 1_000_000 else "",
            )


if __name__ == "__main__":
    main()
