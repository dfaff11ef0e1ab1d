"""Individual risk of 10,000,000 records with five keys and a weight; goal: under 5 s.

Beside it, for scale, the bare Polars ``group_by(keys)`` that sums the weights and the join that
brings the sums back to the records: the least that the same answer costs in a frame library.
CPU seconds of all threads are printed too, since wall time suffers from neighbours.

Found: on two shared cores 2.3 s of CPU, a third of the group-by and join (7.8 s), in a quarter of
its memory. The risks themselves cost next to nothing (0.05 s for three million classes); a third
of the time is sorting them for the threshold, the rest counting, summing weights and spreading
risks over records. The variances behind the interval took 5 s by quadrature class by class; put
together by size and logarithm of the share, 0.1 s. Wildcards pay for each pair of patterns of
missing keys: 10,000,000 records with 2 % of the cells missing (31 patterns) take 5 s of CPU, a
third of it numbering keys, a third adding matches, in one compiled loop that sums records and
weights together.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import polars as pl
from timing import seconds_and_peak

import microveil as mv
from microveil.risk.individual_risk import IndividualRisk

LEVELS = (2, 90, 50, 16, 20)
N = 10_000_000


def people(n: int, missing_share: float = 0.0) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    keys = {f"key{i}": rng.integers(0, levels, n) for i, levels in enumerate(LEVELS)}
    frame = pl.DataFrame(
        keys | {"weight": rng.uniform(1, 200, n), "household": rng.integers(0, n // 3 + 1, n)}
    )
    if not missing_share:
        return frame
    blanked = [
        pl.when(pl.Series(rng.random(n) >= missing_share)).then(pl.col(name)).alias(name)
        for name in keys
    ]
    return frame.with_columns(blanked)


def grouped(frame: pl.DataFrame) -> object:
    keys = [name for name in frame.columns if name.startswith("key")]
    sums = frame.group_by(keys).agg(pl.len(), pl.col("weight").sum().alias("total"))
    return frame.select(keys).join(sums, on=keys, how="left", nulls_equal=True)


def main() -> None:
    IndividualRisk().measure(people(100), roles=roles(people(100)))  # compiles
    frame, holes = people(N), people(N // 10, missing_share=0.02)
    work: dict[str, Callable[[], object]] = {
        "approximate": lambda: IndividualRisk().measure(mv.Table(frame, roles(frame))),
        "exact": lambda: IndividualRisk(estimator="exact").measure(mv.Table(frame, roles(frame))),
        "households": lambda: IndividualRisk().measure(mv.Table(frame, roles(frame, "household"))),
        "group_by and join": lambda: grouped(frame),
        "wildcards, 1,000,000": lambda: IndividualRisk(missing="wildcard").measure(
            mv.Table(holes, roles(holes))
        ),
    }
    for name, call in work.items():
        started = time.process_time()
        taken, peak = seconds_and_peak(call)
        spent = time.process_time() - started
        print(f"{name:<22} wall {taken:6.2f} s   CPU {spent:6.2f} s   peak {peak / 2**20:6.0f} MiB")


def roles(frame: pl.DataFrame, household: str | None = None) -> mv.Roles:
    keys = [name for name in frame.columns if name.startswith("key")]
    return mv.Roles(quasi_identifiers=keys, weight="weight", household=household)


if __name__ == "__main__":
    main()
