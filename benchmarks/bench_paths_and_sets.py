"""What an intruder knows of paths, and sets made k^m-anonymous, at full size.

To be reached: 30 s each. Paths of 100,000 people with 50 points, m = 2, in seconds of CPU:
locations 5.0, sequence 4.6, frequency 3.5, time 4.2. 100,000 sets of
1 to 11 codes, k = 5, m = 2, without a hierarchy: 2.7.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import microveil as mv

N = 100_000
N_POINTS = 50
GOAL = 30.0


def paths() -> pl.DataFrame:
    """Places that some visit far more often than others, each person around their own."""
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(N), N_POINTS)
    home = rng.integers(0, 50, N)[who] * 37 % 500
    place = np.minimum(rng.zipf(1.3, N * N_POINTS), 2000) + home
    return pl.DataFrame({"who": who, "place": place, "at": np.tile(np.arange(N_POINTS), N)})


def sets() -> pl.DataFrame:
    """Sets of codes, few of which are frequent."""
    rng = np.random.default_rng(1)
    drawn = (np.minimum(rng.zipf(1.5, size), 999) for size in rng.integers(1, 12, N))
    return pl.DataFrame({"codes": [" ".join(f"c{code}" for code in set(one)) for one in drawn]})


def cpu_time(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


@pytest.mark.parametrize("knows", ["locations", "sequence", "frequency", "time"])
def bench_trajectory_risk(benchmark: BenchmarkFixture, knows: str) -> None:
    measure = mv.TrajectoryRisk.model_validate(
        {"columns": ["place"], "time": "at", "m": 2, "knows": knows}
    )
    frame, roles = paths(), mv.Roles(entity="who")
    taken = benchmark.pedantic(cpu_time, (lambda: measure.measure(frame, roles=roles),), rounds=1)
    assert taken <= GOAL


def bench_km_anonymize(benchmark: BenchmarkFixture) -> None:
    step, frame = mv.KmAnonymize(column="codes", k=5, m=2, separator=" "), sets()
    taken = benchmark.pedantic(cpu_time, (lambda: step.protect(frame),), rounds=1)
    assert taken <= GOAL
