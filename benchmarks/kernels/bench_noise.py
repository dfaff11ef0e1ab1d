"""Additive noise in its variants and multiplicative noise, three columns of floats.

Seconds are medians of three runs; memory is the peak above what the process held before, over the
bytes of the columns. sdcMicro's ROMM took 59 s of CPU for 714 records of one column.

Found (load about 2), a million records of three columns: plain 0.09 s, correlated 0.10 s, kim
0.17 s, romm 0.45 s (714 records: 1.5 ms), outliers 2.0 s, multiplicative 0.06 s. Peaks at two
million, each in a process of its own: 2.8, 3.8, 3.7, 3.4, 2.9 and 1.7 × the columns.
"""

import statistics

import numpy as np
import polars as pl
from timing import seconds, seconds_and_peak

from microveil.methods.additive_noise.step import AdditiveNoise
from microveil.methods.multiplicative_noise import MultiplicativeNoise
from microveil.methods.parts.base import Method
from microveil.tables import Table

COLUMNS = ("c0", "c1", "c2")
STEPS: dict[str, Method] = {
    "plain": AdditiveNoise(columns=COLUMNS, sd_share=0.2),
    "correlated": AdditiveNoise(columns=COLUMNS, sd_share=0.2, correlated=True),
    "kim": AdditiveNoise(columns=COLUMNS, sd_share=0.2, variant="kim", correlated=True),
    "romm": AdditiveNoise(columns=COLUMNS, sd_share=0.2, variant="romm"),
    "outliers": AdditiveNoise(columns=COLUMNS, sd_share=0.2, variant="outliers"),
    "multiplicative": MultiplicativeNoise(columns=COLUMNS, sd=0.2),
}


def table_of(n: int) -> Table:
    rng = np.random.default_rng(0)
    mixed = rng.normal(size=(n, 3)) @ rng.normal(size=(3, 3))
    return Table(pl.DataFrame({name: mixed[:, i] for i, name in enumerate(COLUMNS)}))


def main() -> None:
    rng = np.random.default_rng(1)
    for name, step in STEPS.items():
        step.apply(table_of(100), rng)
        for n in (1_000_000, 148_651, 714):
            table = table_of(n)
            _, peak = seconds_and_peak(lambda step=step, table=table: step.apply(table, rng))
            taken = statistics.median(
                seconds(lambda step=step, table=table: step.apply(table, rng)) for _ in range(3)
            )
            print(
                f"{name:<14} {n:>8} × 3: {taken * 1e3:8.1f} ms",
                f"peak {peak / (24 * n):.1f} × columns" if n == 1_000_000 else "",
            )


if __name__ == "__main__":
    main()
