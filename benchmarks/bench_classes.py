"""Counting classes beside a bare Polars ``group_by(keys).len()`` over the same columns.

Goals: at most 0.7 × its time, peak memory below 3 × the key columns, at 260,000 and 10,000,000
records with five keys. Numbers, text and sparse keys (whose product of radices is far beyond an
array of counters, so that packed keys are sorted) are measured apart.

Found: nearly all the time of the group-by is hashing five columns; packing them into one number
costs a pass per column, and counting in an array of all possible keys is then a single pass.
Packed keys are sorted when the array would be larger than a few cells per record. Text pays for a
dictionary first, which costs about as much as grouping it: unless few values make many classes,
text is grouped by Polars' streaming engine, which is faster than the plain group-by while there
are few classes (the views of S4 as released) and about as fast when nearly every row is alone.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from timing import medians, peak_bytes

import microveil as mv
from microveil.studies import ad_views, ad_views_recipe

LEVELS = (2, 90, 50, 16, 20)


def tables(n: int) -> dict[str, pl.DataFrame]:
    rng = np.random.default_rng(0)
    numbers = pl.DataFrame(
        {f"key{i}": rng.integers(0, levels, n) for i, levels in enumerate(LEVELS)}
    )
    return {
        "whole numbers": numbers,
        "text": numbers.select(pl.all().cast(pl.String) + " level"),
        "categories": numbers.select((pl.all().cast(pl.String)).cast(pl.Categorical)),
        "views (S4)": views(n),
        "sparse": pl.DataFrame({f"key{i}": rng.integers(0, 5_000, n) for i in range(5)}),
    }


def views(n: int) -> pl.DataFrame:
    """The keys of S4's release, repeated up to ``n`` rows."""
    released = mv.run(ad_views_recipe(), ad_views()).data
    return pl.concat([released] * (n // released.height + 1)).head(n)


def main() -> None:
    for n in (260_000, 10_000_000):
        for name, frame in tables(n).items():
            table = mv.Table(frame, mv.Roles(quasi_identifiers=frame.columns))
            taken = medians(
                {
                    "classes": lambda table=table: mv.Classes.of(table),
                    "group_by": lambda frame=frame: frame.group_by(frame.columns).len(),
                },
                repeat=7 if n < 1_000_000 else 3,
            )
            peak = peak_bytes(lambda table=table: mv.Classes.of(table)) / frame.estimated_size()
            ratio = taken["classes"] / taken["group_by"]
            print(
                f"{n:>10,} × 5 {name:<14} ours {taken['classes']:7.3f} s   "
                f"group_by {taken['group_by']:7.3f} s   ratio {ratio:5.2f} (goal ≤ 0.70)   "
                f"peak {peak:4.1f} × keys (goal < 3)"
            )


if __name__ == "__main__":
    main()
