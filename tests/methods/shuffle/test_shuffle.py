from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import SpecError
from microveil.methods.shuffle.step import Shuffle
from microveil.tables import Roles, Table

rows = st.lists(
    st.tuples(st.integers(0, 9) | st.none(), st.integers(0, 3), st.sampled_from("abc") | st.none()),
    max_size=40,
)
seeds = st.integers(0, 2**32)


def related(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(n, 4)) @ rng.normal(size=(4, 4))
    return pl.DataFrame(
        {"a": np.exp(mixed[:, 0]), "b": mixed[:, 1], "s": mixed[:, 2], "t": mixed[:, 3]}
    )


def spearman(frame: pl.DataFrame, one: str, two: str) -> float:
    return float(frame.select(pl.corr(one, two, method="spearman")).item())


@given(rows, seeds)
def test_the_values_stay_exactly_and_gaps_stay_gaps(records: list[Any], seed: int) -> None:
    schema = {"x": pl.Int64, "y": pl.Int64, "g": pl.String}
    before = pl.DataFrame(records, schema=schema, orient="row")
    after = Shuffle(columns=["x", "y"], given="g").protect(before, seed=seed)
    for name in ("x", "y"):
        assert Counter(after[name].to_list()) == Counter(before[name].to_list())
        assert after[name].is_null().equals(before[name].is_null())
    assert after["g"].equals(before["g"])


@pytest.mark.parametrize("given_", [("s", "t"), ("s",), ()])
def test_rank_correlations_are_kept_within_sampling_error(given_: tuple[str, ...]) -> None:
    before = related(20_000)
    after = Shuffle(columns=["a", "b"], given=given_).protect(before, seed=1)
    for one, two in (("a", "b"), *((x, s) for x in "ab" for s in given_)):
        # The standard error of a rank correlation is about 1/√n.
        assert spearman(after, one, two) == pytest.approx(
            spearman(before, one, two), abs=4 * np.sqrt(2 / 20_000)
        )


@pytest.mark.parametrize(
    ("n", "correlation", "bias"),
    [(1000, 0.4, -0.00152), (1000, 0.95, -0.00168), (30, 0.8, -0.0437)],
)
def test_rank_correlations_are_biased_no_more_than_published(
    n: int, correlation: float, bias: float
) -> None:
    step, found = Shuffle(columns=["x", "y"]), []
    for seed in range(300):
        rng = np.random.default_rng(seed)
        x, other = rng.normal(size=(2, n))
        before = pl.DataFrame({"x": x, "y": correlation * x + np.sqrt(1 - correlation**2) * other})
        after = step.protect(before, seed=seed)
        found.append(spearman(after, "x", "y") - spearman(before, "x", "y"))
    assert (
        bias - 4 * np.std(found) / np.sqrt(300) < np.mean(found) < 4 * np.std(found) / np.sqrt(300)
    )


def test_a_records_own_value_plays_no_part() -> None:
    before = pl.DataFrame({"x": np.random.default_rng(0).normal(size=5000)})
    after = Shuffle(columns="x").protect(before, seed=1)
    found = float(np.corrcoef(before["x"], after["x"])[0, 1])
    assert abs(found) < 4 / np.sqrt(5000)


def test_groups_keep_their_mean_ranks_and_relations() -> None:
    rng = np.random.default_rng(0)
    group = rng.integers(0, 4, 20_000)
    x = np.array([0.0, 1.0, 0.5, -1.0])[group] + rng.normal(size=20_000)
    before = pl.DataFrame(
        {"g": [f"g{one}" for one in group], "x": x, "y": x + rng.normal(size=20_000)}
    )
    after = Shuffle(columns=["x", "y"], given="g").protect(before, seed=1)
    means = [
        frame.with_columns(pl.col("x", "y").rank() / 20_000)
        .group_by("g")
        .agg(pl.col("x", "y").mean())
        .sort("g")
        .select("x", "y")
        .to_numpy()
        for frame in (before, after)
    ]
    assert np.abs(means[0] - means[1]).max() < 0.015
    assert spearman(after, "x", "y") == pytest.approx(spearman(before, "x", "y"), abs=0.02)


def test_collinear_and_constant_columns_are_no_problem() -> None:
    before = related(2000).with_columns(
        twin=pl.col("s"), double=2 * pl.col("s"), one=pl.lit(1), only=pl.lit("x"), c=pl.lit(3.0)
    )
    step = Shuffle(columns=["a", "c"], given=["s", "twin", "double", "one", "only"])
    after = step.protect(before, seed=1)
    assert after["c"].to_list() == [3.0] * 2000
    assert spearman(after, "a", "s") == pytest.approx(spearman(before, "a", "s"), abs=0.1)


def test_a_column_that_others_determine_comes_back_as_it_was() -> None:
    before = pl.DataFrame({"x": range(100), "s": range(100)})
    assert Shuffle(columns="x", given="s").protect(before, seed=1).equals(before)


def test_strata_keep_their_values() -> None:
    table = Table({"g": [1, 2] * 20, "x": range(40), "s": range(40)}, Roles(strata=["g"]))
    after = Shuffle(columns="x", given="s").apply(table, np.random.default_rng(1)).table.frame
    assert all((x - g) % 2 == 1 for g, x, _ in after.rows())


def test_every_kind_in_an_order_can_be_shuffled(any_ordered: pl.Series) -> None:
    after = Shuffle(columns="x").protect(any_ordered.to_frame(), seed=1)["x"]
    assert after.dtype == any_ordered.dtype
    assert Counter(after.to_list()) == Counter(any_ordered.to_list())


def test_facts_count_the_cells_that_changed() -> None:
    table = Table({"x": [1, 1, None], "s": [1, 2, 3]})
    facts = Shuffle(columns="x", given="s").apply(table, np.random.default_rng(0)).facts
    assert facts == {"n_changed": {"x": 0}, "n_missing": {"x": 1}, "n_given": 1}


def test_a_column_is_not_given_and_shuffled_at_once() -> None:
    with pytest.raises(SpecError, match="'x' cannot be in both columns and given"):
        Shuffle.parse({"columns": ["x"], "given": ["x"]})


def test_values_may_be_wrong_afterwards() -> None:
    assert Shuffle(columns="x").perturbative
