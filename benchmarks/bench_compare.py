"""All default measures of risk and utility on 100,000 × 12 and 1,000,000 × 12.

Goals: 100,000 × 12 in at most 20 s together; 1,000,000 × 12 within memory of three times the data
(both tables). What profiling found: text is read once per distinct label, so labels cost little;
pairs of columns are counted in one pass over packed bins (66 pairs of 12 columns); models see a
sample of 20,000 records (k-means 10,000, in a compiled loop: in NumPy it took ten times as long)
whatever the table's size. Linkage to labels looked at every pair (more than 80 s at 100,000); in
lexical order it passes over all records that begin with a label too far away (2 s), and from 2
billion pairs on it links a sample. Attacks read 2,000 people against every record: they and the
measures that match all numbers are left out of the default for large tables, and named as such.

Measured on two busy cores: 100,000 × 12 in 15–16 s of CPU with one BLAS thread, 19–20 s with two,
which spin while they wait (17 measures of risk, 16 of utility; `propensity`, `record_linkage` and
`nearest_neighbour_ratio` 2–3 s each); 1,000,000 × 12 in 30 s, the largest peak 2.8 times both
tables (`sse`).
"""

from __future__ import annotations

import sys
import time

import numpy as np
import polars as pl
from timing import peak_bytes

import microveil as mv
from microveil.measures.choosing import choose_measures
from microveil.measures.taking import take
from microveil.risk import RISK_MEASURES
from microveil.utility import UTILITY_MEASURES


def people(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(16, 96, n)
    return pl.DataFrame(
        {
            "age": age,
            "zip": rng.integers(0, 900, n),
            "town": rng.integers(0, 40, n).astype(str),
            "sex": rng.choice(["f", "m"], n),
            **{f"pay{i}": rng.lognormal(10 + age / 100, 1, n).round(2) for i in range(4)},
            **{f"answer{i}": rng.integers(0, 5, n).astype(str) for i in range(4)},
        }
    )


ROLES = mv.Roles(quasi_identifiers=["age", "zip", "town", "sex"], sensitive=["answer0"])


def released(frame: pl.DataFrame) -> pl.DataFrame:
    noisy = mv.AdditiveNoise(columns=["pay0", "pay1"], sd_share=0.1).protect(frame, seed=1)
    return mv.Mondrian(k=10).protect(noisy, ROLES, seed=1)


def score(measure: mv.UtilityMeasure | mv.RiskMeasure, before: mv.Table, after: mv.Table) -> object:
    if isinstance(measure, mv.UtilityMeasure):
        return measure.score(before, after)
    return measure.score(before if measure.needs_original else None, after)


def cost(
    measure: mv.UtilityMeasure | mv.RiskMeasure, before: mv.Table, after: mv.Table
) -> tuple[float, int, bool]:
    """Seconds of CPU, peak of memory, and whether the measure did not apply."""
    found: list[tuple[float, bool]] = []

    def work() -> None:
        started = time.process_time()
        _, skipped = take([measure], lambda one: score(one, before, after), asked=False)
        found.append((time.process_time() - started, bool(skipped)))

    peak = peak_bytes(work)
    return found[0][0], peak, found[0][1]


def main() -> None:
    for n in [int(size) for size in sys.argv[1:]] or [1_000_000, 100_000]:
        frame = people(n)
        before, after = mv.Table(frame, ROLES), mv.Table(released(frame), ROLES)
        data = before.frame.estimated_size() + after.frame.estimated_size()
        print(f"{n:,} × {frame.width}: both tables {data / 2**20:.0f} MiB")
        total = 0.0
        n_cells = n * frame.width
        for measure in choose_measures("default", RISK_MEASURES, UTILITY_MEASURES, n_cells=n_cells):
            seconds, peak, skipped = cost(measure, before, after)
            total += seconds
            note = "skipped" if skipped else ""
            print(f"  {measure.kind():22} {seconds:6.2f} s  {peak / data:5.2f} × data  {note}")
        print(f"  {'together':22} {total:6.2f} s of CPU")


if __name__ == "__main__":
    main()
