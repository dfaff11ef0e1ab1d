"""Differential privacy: what a noisy answer costs at 1,000,000 rows, and how tight accounting is.

CPU time of a question to a prepared table, medians; beside OpenDP's own Polars path where that is
installed (its extra pins an old Polars, so it is looked for in an environment of its own, whose
Python is named by MICROVEIL_OPENDP_POLARS).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import time

import numpy as np
import polars as pl

import microveil as mv

N = 1_000_000
SPENDS = {"ε": mv.dp.Loss(epsilon=1), "ρ": mv.dp.Loss(rho="1/2")}
QUERIES: dict[str, tuple[mv.dp.Query, float]] = {
    "count": (mv.dp.Count(where="age >= 30"), 3.0),
    "count by text": (mv.dp.Count(where="region = 'north'"), 3.0),
    "group-by of 1,000 keys": (mv.dp.Count(by="town"), 50.0),
    "mean by 1,000 keys": (mv.dp.Mean(column="income", by="town"), 50.0),
    "median": (mv.dp.Median(column="income"), 5.0),
    "median, filtered": (mv.dp.Median(column="income", where="age >= 30"), 10.0),
    "mean": (mv.dp.Mean(column="income"), 5.0),
}
"""Questions, and the milliseconds of CPU they may take."""

OPENDP_POLARS = """
import time, numpy as np, polars as pl, opendp.prelude as dp
dp.enable_features("contrib")
age = np.random.default_rng(1).integers(0, 111, 1_000_000)
frame = pl.LazyFrame({"age": age})
context = dp.Context.compositor(
    data=frame, privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=100.0),
    split_evenly_over=20, margins=[dp.polars.Margin(max_length=2_000_000)])
query = context.query().filter(pl.col("age") >= 30).select(dp.len())
query.release().collect()
taken = []
for _ in range(5):
    started = time.process_time()
    context.query().filter(pl.col("age") >= 30).select(dp.len()).release().collect()
    taken.append(time.process_time() - started)
print(sorted(taken)[2] * 1000)
"""


def survey() -> pl.DataFrame:
    rng = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "age": rng.integers(0, 111, N),
            "income": rng.lognormal(10, 0.6, N),
            "region": rng.choice(["north", "south", "east", "west"], N),
            "town": rng.integers(0, 1000, N),
        }
    )


DECLARED = {
    "size": N,
    "columns": {
        "age": {"type": "integer", "bounds": [0, 110]},
        "income": {"type": "real", "bounds": [0, 200_000]},
        "region": {"type": "text", "keys": ["north", "south", "east", "west"]},
        "town": {"type": "integer", "bounds": [0, 999]},
    },
}


def milliseconds(ready: mv.dp.Prepared, query: mv.dp.Query, spend: mv.dp.Loss) -> float:
    mv.dp.answer(query, ready, spend=spend)
    taken = []
    for _ in range(15):
        started = time.process_time()
        mv.dp.answer(query, ready, spend=spend)
        taken.append(time.process_time() - started)
    return 1000 * statistics.median(taken)


def main() -> None:
    started = time.perf_counter()
    ready = mv.dp.prepare(survey(), DECLARED)
    print(f"preparing {N:,} rows, once: {1000 * (time.perf_counter() - started):.0f} ms")
    counted = 0.0
    for name, (query, limit) in QUERIES.items():
        found = {sign: milliseconds(ready, query, spend) for sign, spend in SPENDS.items()}
        counted = found["ε"] if name == "count" else counted
        shown = ", ".join(f"{sign} {value:6.2f} ms" for sign, value in found.items())
        print(f"{name:24} {shown}   (limit {limit:g})")
    print_peer(counted)
    print_accounting()


def print_peer(ours: float) -> None:
    peer = os.environ.get("MICROVEIL_OPENDP_POLARS")
    if not peer:
        return
    done = subprocess.run([peer, "-c", OPENDP_POLARS], capture_output=True, text=True, check=True)  # noqa: S603
    theirs = float(done.stdout)
    print(f"the same count by OpenDP's Polars path: {theirs:.0f} ms, {theirs / ours:.0f} times")


def print_accounting() -> None:
    count = mv.dp.Event(mechanism="gaussian", amount="1/10000")
    started = time.perf_counter()
    tight = mv.dp.tight_epsilon([count] * 1000, 1e-6)
    taken = time.perf_counter() - started
    classic = 0.05 + 2 * np.sqrt(0.05 * np.log(1e6))
    print(
        f"1,000 Gaussian counts, σ = 100, δ = 1e-6: ε = {tight:.6f} in {1000 * taken:.0f} ms "
        f"(exact 1.367571; zCDP {classic:.2f}; one by one {1000 * one_alone():.0f})"
    )
    assert 1.367571 <= tight <= 1.367571 * 1.01
    pure = mv.dp.Event(mechanism="laplace", amount="1/10", steps=1)
    started = time.perf_counter()
    tight = mv.dp.tight_epsilon([pure] * 100, 1e-6)
    print(
        f"100 Laplace counts of ε = 0.1, δ = 1e-6: ε = {tight:.4f} in "
        f"{1000 * (time.perf_counter() - started):.0f} ms (added up: 10)"
    )


def one_alone() -> float:
    """ε of one such count with a thousandth of δ."""
    return mv.dp.gaussian_epsilon(0.01, 1e-9)


if __name__ == "__main__":
    main()
