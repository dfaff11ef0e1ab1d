from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError
from microveil.methods.half_swap import HalfSwap
from microveil.tables import Roles, Table

values = st.lists(st.integers(-5, 5) | st.none(), max_size=50)
seeds = st.integers(0, 2**32)


def spearman(frame: pl.DataFrame) -> float:
    return float(frame.select(pl.corr("x", "y", method="spearman")).item())


def related(n: int, correlation: float, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    x, other = rng.normal(size=(2, n))
    return pl.DataFrame({"x": x, "y": correlation * x + np.sqrt(1 - correlation**2) * other})


@given(values, seeds)
def test_the_values_stay_exactly_and_gaps_stay_gaps(cells: list[int | None], seed: int) -> None:
    before = pl.DataFrame({"x": cells}, schema={"x": pl.Int64})
    after = HalfSwap(columns="x").protect(before, seed=seed)
    assert Counter(after["x"].to_list()) == Counter(cells)
    assert after["x"].is_null().equals(before["x"].is_null())


@given(st.permutations(range(20)), seeds)
def test_pairs_are_disjoint_and_have_the_same_rank_in_their_halves(
    cells: list[int], seed: int
) -> None:
    outcome = HalfSwap(columns="x").apply(Table({"x": cells}), np.random.default_rng(seed))
    after = outcome.table.frame["x"].to_list()
    partner = dict(zip(cells, after, strict=True))
    assert all(partner[partner[value]] == value != partner[value] for value in cells)
    # Ordered by their smaller values, the larger ones of the pairs are ordered too.
    half = np.random.default_rng(seed).permutation(20)[:10]
    first = sorted(cells[row] for row in half)
    assert [partner[value] for value in first] == sorted(partner[value] for value in first)


def test_of_an_odd_number_one_stays() -> None:
    stays = Counter(
        [
            before
            for seed in range(300)
            for before, after in enumerate(
                HalfSwap(columns="x").protect({"x": range(5)}, seed=seed)["x"]
            )
            if before == after
        ]
    )
    assert sum(stays.values()) == 300
    assert all(abs(n - 60) < 5 * 7 for n in stays.values())


def test_facts_count_the_values_without_a_partner() -> None:
    table = Table({"x": [1, 2, 3, None]})
    facts = HalfSwap(columns="x").apply(table, np.random.default_rng(0)).facts
    assert facts == {"n_changed": {"x": 2}, "n_missing": {"x": 1}, "n_unswapped": {"x": 1}}


@pytest.mark.parametrize(
    ("n", "correlation", "bias"),
    [(1000, 0.4, -0.00133), (1000, 0.95, -0.00174), (30, 0.8, -0.0437)],
)
def test_the_bias_of_rank_correlation_is_the_published_one(
    n: int, correlation: float, bias: float
) -> None:
    step = HalfSwap(columns=["x", "y"])
    found = []
    for seed in range(400):
        before = related(n, correlation, seed)
        found.append(spearman(step.protect(before, seed=seed)) - spearman(before))
    assert np.mean(found) == pytest.approx(bias, abs=float(4 * np.std(found) / 20))


def test_strata_keep_their_values() -> None:
    table = Table({"g": [1, 2] * 20, "x": range(40)}, Roles(strata=["g"]))
    after = HalfSwap(columns="x").apply(table, np.random.default_rng(1)).table.frame
    assert all((x - g) % 2 == 1 for g, x in after.rows())


def test_every_kind_in_an_order_can_be_swapped(any_ordered: pl.Series) -> None:
    after = HalfSwap(columns="x").protect(any_ordered.to_frame(), seed=1)["x"]
    assert after.dtype == any_ordered.dtype
    assert Counter(after.to_list()) == Counter(any_ordered.to_list())


def test_categories_have_no_rank() -> None:
    with pytest.raises(ColumnError, match="needs ordered values"):
        HalfSwap(columns="x").protect({"x": ["a", "b"]})


def test_values_may_be_wrong_afterwards() -> None:
    assert HalfSwap(columns="x").perturbative
