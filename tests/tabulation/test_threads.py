"""The same tables whatever the number of threads: a new process each, since Polars asks once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = """
import hashlib
import numpy as np, polars as pl
import microveil as mv

rng, n = np.random.default_rng(9), 6000
frame = pl.DataFrame({
    "a": (rng.beta(1, 2, n) * 15).astype(int), "b": (rng.beta(1, 2, n) * 8).astype(int),
    "v": rng.lognormal(3, 1.5, n), "w": rng.random(n) + 1, "k": rng.random(n),
    "firm": rng.integers(0, 900, n),
})
rules, digest = [mv.Threshold(n=4), mv.PPercent(p=10)], hashlib.sha256()
for table, protect in [
    (mv.Tabulation(by=["a", "b"], value="v", weight="w"), mv.Suppress()),
    (mv.Tabulation(by=["a", "b"], value="v", contributor="firm"), mv.Suppress()),
    (mv.Tabulation(by=["a", "b"], value="v"), mv.CellKeys(record_key="k")),
]:
    made = mv.tabulate(frame, table, rules=rules, protect=protect)
    for family in made.families:
        digest.update(family.cells.values.tobytes() + family.published.tobytes())
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_the_number_of_threads_changes_no_digit_of_a_table() -> None:
    found = set()
    for n in ("1", "2", "3", "7"):
        told = {"POLARS_MAX_THREADS": n, "MICROVEIL_THREADS": n, "OMP_NUM_THREADS": n}
        done = subprocess.run(  # noqa: S603  our own script
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, **told},
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    assert len(found) == 1
