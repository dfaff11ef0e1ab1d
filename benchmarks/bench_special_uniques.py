"""Special uniques and key separation, columns of 2 to 100 (survey) or 20 to 2,000 values (wide).

Goal: SUDA2 on 100,000 × 8, sets of up to 4 columns, under 20 s with memory under 2 GiB. The first
call of an installation compiles the loops (about 10 s), not counted. The largest tables come first,
for memory given back to the allocator is not counted again: later peaks are too low.

Found, two cores shared with other work, CPU: 100,000 × 8 up to 4 survey 0.2 s, wide 0.5 s (2.4
million minimal uniques); all sizes 0.4 and 0.7 s; the process held 250 MiB. A million up to 3
1.0 and 2.5 s, 120 MiB. 100,000 × 15 up to 4 1.7 s. All 1,023 sets of 100,000 × 10 separated: 0.9 s.
With missing cells 0.2 to 0.4 s; wildcards took 6 s at the worst tried (wide, 1 % missing).
10,000 × 6 0.01 s; sdcMicro took 0.07 s on a table of that size.

Most of the time went into counting references: a tuple of 25 arrays that is handed to a small loop
for each class costs more than the loop. Handing on single arrays, and looking for hidden rows only
where some are incomplete, took 100,000 × 8 wide from 0.9 to 0.4 s. Splitting by the columns of most
values last, so that classes stay long on the way, saves a fifth to a third where sizes are limited,
and costs a tenth where they are not.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np
import polars as pl
from timing import medians, peak_bytes

from microveil.risk.key_separation import KeySeparation
from microveil.risk.special_uniques import SpecialUniques

SURVEY = (2, 3, 4, 5, 6, 9, 20, 100)
WIDE = (20, 30, 50, 100, 200, 300, 1_000, 2_000)


def table(n: int, levels: tuple[int, ...], missing_share: float = 0.0) -> pl.DataFrame:
    """Columns with Zipf-like frequencies."""
    rng = np.random.default_rng(0)
    columns = {}
    for number, size in enumerate(levels):
        shares = 1 / np.arange(1, size + 1)
        values = pl.Series(rng.choice(size, n, p=shares / shares.sum()))
        columns[f"key{number}"] = values.set(pl.Series(rng.random(n) < missing_share), None)
    return pl.DataFrame(columns)


def measure(name: str, frame: pl.DataFrame, spec: SpecialUniques | KeySeparation) -> None:
    peak = peak_bytes(lambda: spec.measure(frame)) / 2**20
    started = time.process_time()
    score = spec.measure(frame)
    cpu = time.process_time() - started
    taken = medians({"ours": lambda: spec.measure(frame)}, repeat=3)["ours"]
    parts: Mapping[str, int] = score.parts
    found = parts.get("n_minimal_uniques", parts.get("n_sets", 0))
    print(f"{name:<44} {taken:7.2f} s, CPU {cpu:6.2f} s  {found:>11,}  peak {peak:6.0f} MiB")


def uniques(frame: pl.DataFrame, max_size: int, missing: str = "category") -> SpecialUniques:
    raw = {"columns": frame.columns, "max_size": max_size, "missing": missing}
    return SpecialUniques.parse(raw)


def main() -> None:
    small = table(500, SURVEY, 0.1)
    for missing in ("category", "wildcard", "ignored"):
        uniques(small, 3, missing).measure(small)
    KeySeparation(columns=small.columns).measure(small)
    for name, levels in (("survey", SURVEY), ("wide", WIDE)):
        frame = table(1_000_000, levels)
        measure(f"1,000,000 × 8 {name}, up to 3", frame, uniques(frame, 3))
        measure(f"100,000 × 8 {name}, up to 4", frame.head(100_000), uniques(frame, 4))
        measure(f"100,000 × 8 {name}, all sizes", frame.head(100_000), uniques(frame, 8))
    holes = table(100_000, SURVEY, 0.05)
    for missing in ("category", "wildcard", "ignored"):
        spec = uniques(holes, 4, missing)
        measure(f"100,000 × 8, 5 % missing, up to 4, {missing}", holes, spec)
    many = table(100_000, (*SURVEY, *SURVEY[:7]))
    measure("100,000 × 15, up to 4", many, uniques(many, 4))
    six = table(10_000, SURVEY[:6])
    measure("10,000 × 6, all sizes (sdcMicro: CPU 0.07)", six, uniques(six, 6))
    ten = table(100_000, (*SURVEY, 7, 12))
    measure("separation 100,000 × 10, all 1,023 sets", ten, KeySeparation(columns=ten.columns))


if __name__ == "__main__":
    main()
