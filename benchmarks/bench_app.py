"""The browser app at 1,000,000 records: another choice of keys, and the steps of a plan.

Goals: a change of the keys is answered within 300 ms, whatever the keys; a session holds at most
four times its frame in memory.

Found: codes of a column are worked out when it is first a key (text pays for it once) and kept;
after that a choice of keys is one multiplication per key, and either an array of counters or a
sort of packed keys.
"""

from __future__ import annotations

import numpy as np
import polars as pl
from timing import medians, seconds

from microveil.web.project.frequencies import Frequencies

N = 1_000_000


def frame(n: int) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    few = {f"c{i}": rng.integers(0, 9, n) for i in range(8)}
    return pl.DataFrame(
        {
            "age": rng.integers(17, 90, n),
            "sex": rng.choice(["f", "m"], n),
            "postcode": rng.choice([f"{one:05}" for one in range(3_000)], n),
            "occupation": rng.choice([f"job {one}" for one in range(80)], n),
            "education": rng.choice([f"level {one}" for one in range(16)], n),
            "income": rng.normal(30_000, 9_000, n).round(2),
            "visits": rng.poisson(3, n),
            **few,
        }
    )


def main() -> None:
    table = frame(N)
    kept = Frequencies(table)
    sets = {
        "two keys": ["age", "sex"],
        "five keys": ["age", "sex", "postcode", "occupation", "education"],
        "with a measure": ["age", "sex", "income"],
        "all fifteen": table.columns,
    }
    first = {name: seconds(lambda keys=keys: kept.of(keys)) for name, keys in sets.items()}
    again = medians({name: lambda keys=keys: kept.of(keys) for name, keys in sets.items()})
    print(f"| keys of {N:,} × {table.width} | first time | then |\n|---|---|---|")
    for name in sets:
        print(f"| {name} | {first[name] * 1000:.0f} ms | {again[name] * 1000:.0f} ms |")


if __name__ == "__main__":
    main()
