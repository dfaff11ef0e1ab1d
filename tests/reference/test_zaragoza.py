"""The numbers of a comparison of Datafly and Mondrian (Zaragoza, 2017).

Independent columns each run from 1 to N, alone or squared; dependent columns hold every
combination of V values. The thesis publishes the number of combinations for N = 100,000.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.methods.datafly.step import Datafly
from microveil.methods.mondrian.step import Mondrian
from microveil.methods.parts.base import Method, Outcome
from microveil.tables import Roles, Table

PUBLISHED = {128: (100, 512), 32: (1000, 2048), 8: (10_000, 8192), 2: (10_000, 34_464)}
"""k: combinations left by Datafly, and by Mondrian."""


def independent(n: int, n_columns: int, power: int = 1) -> pl.DataFrame:
    return pl.DataFrame({f"a{j}": np.arange(1, n + 1) ** power for j in range(n_columns)})


def dependent(n_values: int, n_columns: int) -> pl.DataFrame:
    rows = list(product(range(1, n_values + 1), repeat=n_columns))
    return pl.DataFrame(rows, schema=[f"a{j}" for j in range(n_columns)], orient="row")


def applied(step: Method, frame: pl.DataFrame) -> Outcome:
    roles = Roles(quasi_identifiers=frame.columns)
    return step.apply(Table(frame, roles), np.random.default_rng(0))


def combinations(step: Method, frame: pl.DataFrame) -> list[int]:
    """Records of each combination of released keys."""
    return applied(step, frame).table.frame.group_by(frame.columns).len()["len"].to_list()


@pytest.mark.parametrize("k", list(PUBLISHED))
@pytest.mark.parametrize(
    "n_columns",
    [pytest.param(1, marks=pytest.mark.slow), 2, pytest.param(5, marks=pytest.mark.slow)],
)
def test_combinations_of_a_hundred_thousand_are_those_published(k: int, n_columns: int) -> None:
    frame = independent(100_000, n_columns)
    datafly, mondrian = PUBLISHED[k]
    assert len(combinations(Datafly(k=k), frame)) == datafly
    for mode in ("strict", "relaxed"):
        sizes = combinations(Mondrian(k=k, mode=mode), frame)
        assert len(sizes) == mondrian
        assert min(sizes) >= k


def test_the_worked_example_of_datafly_comes_out() -> None:
    pairs = [(10, 10), (10, 11), (10, 21), (19, 10), (19, 11), (19, 21)]
    frame = pl.DataFrame(pairs, schema=["a0", "a1"], orient="row")
    outcome = applied(Datafly(k=2), frame)
    assert outcome.table.frame.rows() == [(10, "10"), (10, "10"), (19, "10"), (19, "10")]
    assert outcome.facts == {"levels": {"a0": 0, "a1": 1}, "n_suppressed": 2, "n_iterations": 1}


@pytest.mark.parametrize("k", list(PUBLISHED))
def test_mondrian_does_not_mind_how_values_are_spread_and_datafly_does(k: int) -> None:
    linear, squared = independent(10_000, 2), independent(10_000, 2, power=2)
    for mode in ("strict", "relaxed"):
        step = Mondrian(k=k, mode=mode)
        assert sorted(combinations(step, linear)) == sorted(combinations(step, squared))
    step_of: Any = Datafly(k=k)
    assert sorted(combinations(step_of, linear)) != sorted(combinations(step_of, squared))


@pytest.mark.parametrize("k", [8, 32, 128])
def test_mondrian_stays_at_one_ratio_to_the_optimum(k: int) -> None:
    reached = len(combinations(Mondrian(k=k), independent(100_000, 1)))
    assert reached / (100_000 / k) == pytest.approx(0.655, abs=0.0005)


@pytest.mark.parametrize(("n_values", "n_columns"), [(300, 2), (10, 5), (3, 10)])
@pytest.mark.parametrize("k", [2, 32])
def test_mondrian_leaves_more_combinations_than_datafly_on_dependent_columns(
    n_values: int, n_columns: int, k: int
) -> None:
    frame = dependent(n_values, n_columns)
    datafly = combinations(Datafly(k=k), frame)
    for mode in ("strict", "relaxed"):
        mondrian = combinations(Mondrian(k=k, mode=mode), frame)
        assert min(mondrian) >= k
        assert sum(mondrian) == frame.height
        assert len(mondrian) > len(datafly)


def test_the_five_measures_are_among_the_facts() -> None:
    frame = independent(1000, 2)
    sizes = np.array(combinations(Mondrian(k=32), frame))
    facts = applied(Mondrian(k=32), frame).facts
    assert (facts["n_classes"], facts["smallest"], facts["largest"]) == (
        len(sizes),
        sizes.min(),
        sizes.max(),
    )
    assert facts["mean"] == pytest.approx(sizes.mean())
    assert facts["variance"] == pytest.approx(sizes.var())
