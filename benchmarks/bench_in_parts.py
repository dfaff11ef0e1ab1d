"""A 10-million-row Parquet file through a row-wise recipe, in parts and whole: time and memory.

Each line is a fresh process; its peak memory is laid beside the size of the table in memory. In
parts, memory holds one part and the keys while they are counted, so it hardly grows with the
other columns.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

N = 10_000_000
RECIPE = """
roles: {identifiers: [name], quasi_identifiers: [age, sex], sensitive: [income], insensitive: [zip]}
steps:
  - {method: drop, columns: [name]}
  - {method: generalize, column: age, hierarchy: {hierarchy: intervals, width: 10}, level: 1}
  - {method: mask, columns: [zip], keep_start: 2}
  - {method: round, columns: [income], base: 1000}
require: [{model: k_anonymity, k: 10}]
"""
CHILD = """
import sys, time
from pathlib import Path
import microveil as mv
started = time.perf_counter()
recipe, source, out, how = sys.argv[1:]
result = mv.run_file(mv.Recipe.read(recipe), source, out, in_parts=how == "parts")
assert result.holds
peak = next(l for l in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in l)
print(time.perf_counter() - started, int(peak.split()[1]) * 1024)
"""


def table() -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "name": pl.Series(rng.integers(0, 10**9, N)).cast(pl.String) + " person",
            "age": rng.integers(0, 90, N),
            "sex": rng.integers(0, 2, N),
            "zip": pl.Series(rng.integers(10_000, 99_999, N)).cast(pl.String),
            "income": rng.lognormal(10, 1, N),
        }
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        recipe, source, out = (
            Path(folder) / name for name in ("r.yaml", "in.parquet", "o.parquet")
        )
        frame = table()
        frame.write_parquet(source, row_group_size=500_000)
        recipe.write_text(RECIPE, encoding="utf-8")
        size = frame.estimated_size()
        del frame
        for how in ("parts", "whole"):
            command = [sys.executable, "-c", CHILD, str(recipe), str(source), str(out), how]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
            taken, peak = map(float, text.split())
            print(
                f"10,000,000 rows, {how:<6} {taken:6.1f} s   peak {peak / 2**20:6.0f} MiB   "
                f"table {size / 2**20:6.0f} MiB"
            )


if __name__ == "__main__":
    main()
