from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.errors import ColumnError, InputError, SpecError
from microveil.methods.sample import Sample
from microveil.tables import Roles, Table


@given(st.integers(0, 200), st.floats(0.01, 1), st.integers(0, 2**32))
def test_a_share_is_kept_in_order_and_without_repetition(n: int, share: float, seed: int) -> None:
    after = Sample(share=share).protect(Table({"x": np.arange(n)}), seed=seed)
    kept = after.frame["x"].to_numpy()
    assert abs(len(kept) - share * n) < 1
    assert (np.diff(kept) > 0).all()
    assert after.rows is None or (after.rows == kept).all()


def test_a_number_of_records_can_be_asked_for() -> None:
    assert Sample(n=3).protect({"x": range(10)}, seed=1).height == 3
    assert Sample(n=10).protect({"x": range(10)}, seed=1)["x"].to_list() == list(range(10))


def test_every_record_has_the_same_chance() -> None:
    rng = np.random.default_rng(5)
    table = Table({"x": range(10)})
    drawn = [Sample(share=0.3).apply(table, rng).table.frame["x"].to_list() for _ in range(3000)]
    counts = np.bincount(np.concatenate(drawn), minlength=10)
    # Each count is binomial(3000, 0.3): standard deviation 25.
    assert (abs(counts - 900) < 110).all()


def drawn_shares(table: Table, step: Sample, runs: int) -> NDArray[np.float64]:
    """How often each record is kept."""
    counts = np.zeros(table.height)
    rng = np.random.default_rng(8)
    for _ in range(runs):
        kept = step.apply(table, rng).table
        counts[np.arange(table.height) if kept.rows is None else kept.rows] += 1
    return counts / runs


def test_small_strata_are_drawn_as_often_as_large_ones() -> None:
    strata = ["a"] * 12 + ["b"] * 5 + ["c"] * 2 + ["d"]
    table = Table({"s": strata}, Roles(strata=["s"]))
    for how in ({"share": 0.3}, {"n": 7}, {"share": 0.17}):
        step = Sample.parse(how)
        share = how.get("share", 7 / 20)
        error = 4.5 * np.sqrt(share * (1 - share) / 600)
        assert drawn_shares(table, step, 600) == pytest.approx(share, abs=error)


def test_a_share_that_is_no_whole_number_is_right_on_average() -> None:
    table = Table({"x": range(3)})
    assert drawn_shares(table, Sample(share=0.1), 800) == pytest.approx(0.1, abs=0.045)


def test_records_of_different_strata_can_be_drawn_together() -> None:
    table = Table({"s": ["a", "b", "c", "d"]}, Roles(strata=["s"]))
    rng = np.random.default_rng(1)
    step = Sample(n=2)
    pairs = {tuple(step.apply(table, rng).table.frame["s"]) for _ in range(200)}
    assert pairs == set(combinations("abcd", 2))


def test_households_and_entities_stay_whole_and_have_the_same_chance() -> None:
    households = [1, 1, 1, 2, 3, 3, None, None, 4, 4, 4, 4]
    people = [1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11]
    table = Table({"h": households, "p": people}, Roles(household="h", entity="p"))
    rng = np.random.default_rng(3)
    for _ in range(50):
        kept = Sample(share=0.5).apply(table, rng)
        ids = kept.table.frame["h"].drop_nulls().to_list()
        assert all(ids.count(one) == households.count(one) for one in set(ids))
        assert kept.table.frame["h"].null_count() in (0, 2)  # person 7 has two rows
        assert kept.facts["n_units"] == 5
        assert kept.facts["n_units_kept"] in (2, 3)
    assert drawn_shares(table, Sample(share=0.5), 500) == pytest.approx(0.5, abs=0.1)
    apart = Sample(n=6, whole=False).apply(table, rng)
    assert apart.table.height == 6
    assert "n_units" not in apart.facts


def test_weighted_totals_are_right_on_average_and_exact_when_recalibrated() -> None:
    frame = {"s": ["a"] * 7 + ["b"] * 3 + ["c"], "w": [10.0] * 7 + [5, 6, 7] + [100]}
    table = Table(frame, Roles(weight="w", strata=["s"]))
    rng = np.random.default_rng(4)
    step = Sample(share=0.3)
    totals = [float(step.apply(table, rng).table.frame["w"].sum()) for _ in range(800)]
    assert np.mean(totals) == pytest.approx(188, abs=4 * np.std(totals) / np.sqrt(800))
    for _ in range(20):
        outcome = Sample(share=0.3, recalibrate=True).apply(table, rng)
        after = outcome.table.frame
        assert after["w"].sum() == pytest.approx(188)
        if outcome.facts["n_strata_without_weight"] == 0:
            assert after.filter(pl.col("s") == "a")["w"].sum() == pytest.approx(70)
        assert outcome.facts["weight_recalibrated"] == "w"


@given(
    st.lists(st.sampled_from([1, 2, 3, None]), min_size=1, max_size=100),
    st.floats(0.05, 1),
)
def test_each_stratum_gives_its_part_to_within_one(strata: list[int | None], share: float) -> None:
    frame = pl.DataFrame({"s": pl.Series(strata, dtype=pl.Int64)})
    table = Table(frame, Roles(strata=["s"]))
    kept = Sample(share=share).protect(table, seed=1).frame["s"].to_list()
    assert abs(len(kept) - share * len(strata)) < 1
    assert all(abs(kept.count(s) - share * strata.count(s)) < 1 for s in set(strata))


def test_strata_can_be_left_aside() -> None:
    table = Table({"s": [1] * 500 + [2] * 500}, Roles(strata=["s"]))
    kept = [
        Sample(share=0.5, by_strata=False).protect(table, seed=seed).frame["s"].sum()
        for seed in range(5)
    ]
    assert len(set(kept)) > 1


def test_weights_are_raised_so_that_totals_stay() -> None:
    frame = {"s": ["a"] * 6 + ["b"] * 4, "w": [10] * 6 + [5] * 4}
    table = Table(frame, Roles(weight="w", strata=["s"]))
    outcome = Sample(share=0.5).apply(table, np.random.default_rng(1))
    assert outcome.table.frame["w"].sum() == 80
    assert outcome.facts == {
        "n_records": 10,
        "n_left_out": 5,
        "probability": 0.5,
        "n_strata": 2,
        "n_empty_strata": 0,
        "weight_adjusted": "w",
    }


def test_weights_can_be_left_as_they_are() -> None:
    table = Table({"w": [10, None, 10, 10]}, Roles(weight="w"))
    kept = Sample(n=2, adjust_weight=False).protect(table, seed=1).frame["w"]
    assert kept.dtype == pl.Int64
    raised = Sample(n=4).protect(table, seed=1).frame["w"].to_list()
    assert raised == [10.0, None, 10.0, 10.0]


def test_a_weight_that_is_no_number_is_refused() -> None:
    with pytest.raises(ColumnError, match="Weight column 'w' must be numeric"):
        Sample(n=1).protect(Table({"w": ["a", "b"]}, Roles(weight="w")), seed=1)


def test_the_same_seed_draws_the_same_sample() -> None:
    draws = [Sample(n=5).protect({"x": range(99)}, seed=s)["x"].to_list() for s in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_more_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="A sample of 3 cannot be drawn from 2 records"):
        Sample(n=3).protect({"x": [1, 2]})


@pytest.mark.parametrize("how", [{}, {"share": 0.5, "n": 3}])
def test_the_size_is_said_once(how: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="either share or n"):
        Sample.parse(how)


def test_nested_cells_travel_with_their_record(nested: pl.DataFrame) -> None:
    assert Sample(n=2).protect(nested)["x"].to_list() == [[1, 2], [3]]
