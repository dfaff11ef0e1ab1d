from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, InputError, SpecError
from microveil.methods.sample import Sample
from microveil.tables import Roles, Table


@given(st.integers(0, 200), st.floats(0.01, 1), st.integers(0, 2**32))
def test_a_share_is_kept_in_order_and_without_repetition(n: int, share: float, seed: int) -> None:
    after = Sample(share=share).protect(Table({"x": np.arange(n)}), seed=seed)
    kept = after.frame["x"].to_numpy()
    assert len(kept) == int(share * n + 0.5)
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


@given(
    st.lists(st.sampled_from([1, 2, 3, None]), min_size=1, max_size=100),
    st.floats(0.05, 1),
)
def test_each_stratum_gives_its_part_to_within_one(strata: list[int | None], share: float) -> None:
    frame = pl.DataFrame({"s": pl.Series(strata, dtype=pl.Int64)})
    table = Table(frame, Roles(strata=["s"]))
    kept = Sample(share=share).protect(table, seed=1).frame["s"].to_list()
    assert len(kept) == int(share * len(strata) + 0.5)
    part = len(kept) / len(strata)
    assert all(abs(kept.count(s) - part * strata.count(s)) < 1 for s in set(strata))


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
    with pytest.raises(ColumnError, match="Weight column 'w' must be numbers"):
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
