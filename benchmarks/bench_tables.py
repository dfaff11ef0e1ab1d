"""Protected tables: suppression with its audit on tables that grow.

Measured on two cores shared with other work, seconds of processor time and largest memory:

| case | cells | unsafe | seconds | GB |
|---|---|---|---|---|
| counts, 46 × 46 × 46 | 88,204 | 17,442 | 15 | 0.4 |
| sums, 46 × 46 × 46, p % rule | 80,067 | 30,324 | 8 | 0.4 |
| counts, 100 × 100 × 99 | 858,831 | 176,764 | 54 | 1.4 |

Compiling the loops takes about 40 seconds more, once on a machine.

Sparse counts of n × 10 × 2 × 75 × 10 codes, most of them unsafe, before and after the keys of cells
were scattered in the hash table of moves (neighbouring keys filled whole stretches of it, and each
look-up walked 13, 65, 178 places on average):

| n, records | cells | unsafe | seconds before | after |
|---|---|---|---|---|
| 36, 8,000 | 65,604 | 52,855 | 4.9 | 4.1 |
| 110, 24,000 | 177,659 | 144,606 | 18.7 | 14.1 |
| 3,000, 650,000 | 4,359,380 | 3,719,604 | more than 660 | 223 until the moves against insiders |

In the last case counting takes 29 seconds, moves 78, thinning out 106, with 4.5 GB; the rest (moves
for 2.6 million cells against insiders, and the audit) was not seen to end: the run was stopped.

Cell keys of 10,000,000 records in 1,009,864 cells: 9.8 seconds.
"""

from __future__ import annotations

import resource
import sys
import time

import numpy as np
import polars as pl

import microveil as mv

SHAPES: dict[str, tuple[tuple[int, ...], int]] = {
    "counts 1e5": ((46, 46, 46), 1_000_000),
    "sums 1e5": ((46, 46, 46), 500_000),
    "counts 1e6": ((100, 100, 99), 10_000_000),
    "650,000 rows": ((3000, 10, 2, 75, 10), 650_000),
}
"""Codes of each variable, and records."""


def records(name: str) -> pl.DataFrame:
    """Records of a case: most codes are rare, as in tables that people publish."""
    rng = np.random.default_rng(1)
    sizes, n = SHAPES[name]
    columns = {f"v{at}": (rng.beta(1, 2, n) * size).astype(int) for at, size in enumerate(sizes)}
    if name.startswith("sums"):
        columns["value"] = rng.lognormal(3, 1.5, n)
    return pl.DataFrame(columns)


def main(names: list[str]) -> None:
    """Measure the cases named, or all."""
    for name in names or list(SHAPES):
        frame = records(name)
        value = "value" if "value" in frame.columns else None
        by = [column for column in frame.columns if column != "value"]
        rules: list[mv.Threshold | mv.PPercent] = [mv.Threshold(n=3)]
        if value:
            rules.append(mv.PPercent(p=10))
        start = time.process_time()
        made = mv.tabulate(frame, mv.Tabulation(by=by, value=value), rules=rules)
        seconds = time.process_time() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        facts = made.facts[0]
        print(
            f"{name}: {facts['n_cells']:,} cells, {facts['n_unsafe']:,} unsafe, "
            f"{facts['n_secondary']:,} further, holds {made.holds}, {seconds:.0f} s, "
            f"{memory:.1f} GB"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
