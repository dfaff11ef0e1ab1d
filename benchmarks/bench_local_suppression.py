"""Local suppression, five keys of 2, 5, 6, 9 and 20 values with Zipf-like frequencies.

Goals: 100,000 records at k = 3 and k = 5 in at most 2 s; sdcMicro took 60 and 179 s of CPU time.
The first call of an installation compiles the loops (6 s wildcard, 2 s category), not counted.

Found, two cores shared with other work, load 2 to 3, CPU about the same as the clock: 100,000 × 5
wildcard 0.06 and 0.08 s, category 0.09 and 0.12 s, peak 4 × keys (as int64). A million × 5 0.4 s.
Where nearly every record is rare: 100,000 × 8 wildcard 1.2 to 2.2 s, category 0.8 to 0.9 s;
20,000 × 10 wildcard 1.4 to 2.3 s, category 2.2 to 2.7 s. Numbering the places of `gather` by
hashing instead of sorting, and looking for records of safe rows only when a place comes to the top,
took 100,000 × 8 from 17 to 2 s. That search grew with the square of the records where nobody is
safe: fourteen keys that make every record unique took 20 s at 50,000 and 73 s at 100,000 records.
Since it stops after 200 million rows, these take 2 and 4 s, and a million 36 s, with the same share
of cells suppressed to four digits. Rare rows beyond 2 million pairs with sets of columns wait for
the next pass, which bounds memory: 3.8 × the table for that million. With wildcards a pass costs
more: 188 s and 4.5 ×.

Beside an earlier state, in turns, wildcards took 1.4 to 1.5 ×: the result was looked over twice,
and every question filled a table of all rows. Now the smaller side fills it: 0.7 × at 200,000 × 5
and 1.2 × at 50,000 × 8. Passing the table through functions that return tuples made it twice as
slow as before. Counting people with three rows each took 2.5 × (category) and 3.7 × (wildcards) the
time without people, half of it for finding distinct numbers by NumPy's hashing; since rows are
found once for each pass, by a table where that is small, 1.6 × and 2.2 ×.
"""

from __future__ import annotations

import time

import numpy as np
import polars as pl
from timing import medians, peak_bytes

from microveil.methods.local_suppression.step import LocalSuppression
from microveil.tables import Table

LEVELS = (2, 5, 6, 9, 20)
SDCMICRO = {3: 59.974, 5: 179.095}


def table(n: int, levels: tuple[int, ...] = LEVELS) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    columns = {}
    for number, size in enumerate(levels):
        shares = 1 / np.arange(1, size + 1)
        columns[f"key{number}"] = rng.choice(size, n, p=shares / shares.sum())
    return pl.DataFrame(columns)


def measure(name: str, frame: pl.DataFrame, k: int, missing: str) -> None:
    step = LocalSuppression(k=k, columns=frame.columns, missing=missing)
    rng = np.random.default_rng(0)
    rows = Table(frame)
    started = time.process_time()
    cells = step.apply(rows, rng).facts["n_suppressed_cells"]
    cpu = time.process_time() - started
    taken = medians({"ours": lambda: step.apply(rows, rng)}, repeat=3)["ours"]
    peak = peak_bytes(lambda: step.apply(rows, rng)) / frame.estimated_size()
    theirs = f"   sdcMicro {SDCMICRO[k]:.0f} s" if name == "100,000 × 5" else ""
    print(
        f"{name:<14} k = {k} {missing:<8} {taken:7.3f} s, CPU {cpu:7.3f} s   "
        f"{cells:>7} cells   peak {peak:4.1f} × keys{theirs}"
    )


def main() -> None:
    for missing in ("wildcard", "category"):
        measure("compiling", table(1_000), 3, missing)
    wide = (2, 3, 3, 4, 5, 6, 8, 9, 12, 20)
    for name, frame in {
        "100,000 × 5": table(100_000),
        "1,000,000 × 5": table(1_000_000),
        "100,000 × 8": table(100_000, wide[:8]),
        "20,000 × 10": table(20_000, wide),
    }.items():
        for k in (3, 5):
            for missing in ("wildcard", "category"):
                measure(name, frame, k, missing)


if __name__ == "__main__":
    main()
