"""PRAM and randomised response: whole steps on one column, facts included, warm.

sdcMicro's pram takes 2.06 s of CPU for three columns of 100,000 records on the same machine.
"""

import statistics

import numpy as np
import polars as pl
from microveil.methods.pram.step import Pram
from timing import seconds, seconds_and_peak

from microveil.methods.randomized_response import RandomizedResponse
from microveil.tables import Roles, Table

STEPS = {
    "pram, retention": Pram(columns="x", retention=0.8),
    "pram, invariant": Pram(columns="x", retention=0.8, invariant=True),
    "randomized_response": RandomizedResponse(columns="x", epsilon=1),
}


def column(n: int, n_categories: int, dtype: pl.DataType) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    codes = pl.Series("x", rng.zipf(1.5, n) % n_categories)
    return pl.DataFrame({"x": codes.cast(pl.String).cast(dtype), "s": rng.integers(0, 50, n)})


def report(title: str, step: Pram | RandomizedResponse, table: Table) -> None:
    rng = np.random.default_rng(1)
    _, peak = seconds_and_peak(lambda: step.apply(table, rng))
    taken = statistics.median(seconds(lambda: step.apply(table, rng)) for _ in range(5))
    # Polars counts the letters of text only, not the 16 bytes that hold each short one.
    text = table.frame.schema["x"] == pl.String
    size = 16 * table.height if text else table.frame["x"].estimated_size()
    print(f"{title:<58} {taken * 1e3:8.1f} ms  peak {peak / size:4.1f} × column")


def main() -> None:
    for name, step in STEPS.items():
        for n in (10_000_000, 1_000_000, 100_000, 10_000):
            table = Table(column(n, 5, pl.Int64()))
            report(f"{name}, {n:>8} whole numbers, 5 categories", step, table)
        for dtype in (pl.String(), pl.Categorical()):
            table = Table(column(1_000_000, 5, dtype))
            report(f"{name},  1000000 {dtype.base_type()}, 5 categories", step, table)
        table = Table(column(1_000_000, 500, pl.Int64()))
        report(f"{name},  1000000 whole numbers, 500 categories", step, table)
    table = Table(column(1_000_000, 5, pl.Int64()), Roles(strata=["s"]))
    report("pram, invariant,  1000000 whole numbers, 50 strata", STEPS["pram, invariant"], table)


if __name__ == "__main__":
    main()
