"""Rank swapping and half swapping of one column of floats, sorting and facts included.

Seconds are medians of five runs, one for ten million; memory is the peak above what the process
held before, over the column's bytes. A range of 20 % of the records. sdcMicro 5.8.1 took 0.72 s
for 148,651 values, its µ-Argus variant 31 ms of CPU.

Goals: sequential, 148,651 values in 30 ms; ten million with near-linear growth; memory 4 × the
column.

Found (load about 2, the machine was shared): sequential 17 ms without ties and 24 ms with (6 ms are
the pairing itself), blocks 13 ms, half_swap 20 ms; ten million in 3.3, 2.4 and 2.4 to 5.1 s, with
ties 3.9 s. Sequential grows by the power 1.25 from 148,651 values and by 1.33 from a million:
ten million leave the caches. Peaks, each in a process of its own: 3.6 × the column, 4.0 with ties,
4.0 for blocks, 3.0 for half_swap.
"""

import statistics

import numpy as np
import polars as pl
from timing import seconds, seconds_and_peak

from microveil.kernels.swapping.rank_swap import swap_partners
from microveil.methods.half_swap import HalfSwap
from microveil.methods.rank_swap import RankSwap
from microveil.tables import Table

SIZES = (10_000_000, 1_000_000, 148_651, 10_000)
STEPS = {
    "sequential": RankSwap(columns="x", range_share=0.2),
    "blocks": RankSwap(columns="x", range_share=0.2, variant="blocks"),
    "chained": RankSwap(columns="x", range_share=0.2, variant="chained"),
    "half_swap": HalfSwap(columns="x"),
}


def table_of(n: int, *, ties: bool) -> Table:
    values = np.random.default_rng(0).lognormal(11, 0.6, size=n)
    return Table(pl.DataFrame({"x": values.round(-3) if ties else values}))


def main() -> None:
    rng = np.random.default_rng(1)
    for step in STEPS.values():
        step.apply(table_of(100, ties=True), rng)
    for name, step in STEPS.items():
        for n in SIZES:
            for ties in (False, True):
                table = table_of(n, ties=ties)
                taken, peak = seconds_and_peak(
                    lambda step=step, table=table: step.apply(table, rng)
                )
                if n < SIZES[0]:
                    taken = statistics.median(
                        seconds(lambda step=step, table=table: step.apply(table, rng))
                        for _ in range(5)
                    )
                kind = "rounded to thousands" if ties else "no ties"
                print(
                    f"{name:<11} n = {n:>8}, {kind:<20}: {taken * 1e3:8.1f} ms",
                    f"peak {peak / (8 * n):.1f} × column" if n == SIZES[0] else "",
                )
    for n in SIZES:
        chances = rng.random(n // 2)
        taken = statistics.median(
            seconds(lambda n=n, chances=chances: swap_partners(n, n // 5, chances))
            for _ in range(3)
        )
        print(f"swap_partners alone, n = {n:>8}: {taken * 1e3:8.1f} ms")


if __name__ == "__main__":
    main()
