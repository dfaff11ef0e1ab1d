"""The intersection attack over releases of 1,000,000 people each.

To be reached: two releases in 10 s, ten in 60 s. On two cores that others used as well: 4.4 s and
37.5 s (the latter under the profiler), at 0.6 GB for two.
"""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import microveil as mv

N_PEOPLE = 1_000_000
LIMITS = {2: 10.0, 10: 60.0}
"""Seconds by the number of releases."""


def releases(n_releases: int) -> list[pl.DataFrame]:
    """Releases of almost the same people, each shuffled and coarsened in another way."""
    rng = np.random.default_rng(1)
    age, place = rng.integers(0, 90, N_PEOPLE), rng.integers(0, 1000, N_PEOPLE)
    sex, school = rng.integers(0, 2, N_PEOPLE), rng.integers(0, 8, N_PEOPLE)
    made = []
    for number in range(n_releases):
        kept = rng.random(N_PEOPLE) < 0.95
        years, width = ((5, 10), (10, 50), (15, 100), (20, 25))[number % 4]
        columns = {
            "id": np.flatnonzero(kept),
            "age": (age // years)[kept],
            "place": (place // width)[kept],
            "sex": sex[kept],
            "school": (school // (1 + number % 2))[kept],
        }
        made.append(pl.DataFrame(columns).sample(fraction=1.0, shuffle=True, seed=number))
    return made


@pytest.mark.parametrize("n_releases", LIMITS)
def bench_intersection_attack(benchmark: BenchmarkFixture, n_releases: int) -> None:
    roles = mv.Roles(quasi_identifiers=["age", "place", "sex", "school"])
    given = releases(n_releases)
    found = benchmark.pedantic(
        mv.intersection_attack, (given, roles), {"person": "id", "k": 5}, rounds=1
    )
    assert found.smallest is not None
