from __future__ import annotations

import json
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods import pram
from microveil.methods.parts.transitions import estimate_frequencies
from microveil.methods.pram import Pram
from microveil.tables import Roles, Table

MATRIX = {"a": {"a": 0.9, "b": 0.1}, "b": {"a": 0.3, "b": 0.7}}
cells = st.lists(st.sampled_from(["a", "b", "c", "d", None]), max_size=40)


def text(values: list[Any]) -> pl.DataFrame:
    return pl.DataFrame({"x": pl.Series(values, dtype=pl.String)})


def outcome(step: Pram, frame: Any, roles: Roles | None = None, seed: int = 1) -> Any:
    return step.apply(Table(frame, roles), np.random.default_rng(seed))


@given(cells, st.integers(0, 2**32), st.booleans())
def test_categories_stay_among_themselves_and_missing_stays_missing(
    values: list[str | None],
    seed: int,
    invariant: bool,  # noqa: FBT001  a drawn value
) -> None:
    before = text(values)
    after = Pram(columns="x", retention=0.3, invariant=invariant).protect(before, seed=seed)
    assert after["x"].is_null().equals(before["x"].is_null())
    assert set(after["x"].to_list()) <= set(values)


@given(cells)
def test_full_retention_and_the_identity_change_nothing(values: list[str | None]) -> None:
    before = text(values)
    names = ("a", "b", "c", "d")
    identity = {name: {name: 1.0} for name in names}
    for step in (
        Pram(columns="x", retention=1),
        Pram(columns="x", matrix=identity),
        Pram(columns="x", matrix=np.eye(4).tolist(), categories=names),
        Pram(columns="x", retention=0, alpha=0),
    ):
        assert step.protect(before, seed=1).equals(before)


@given(
    st.lists(st.sampled_from("aaabbc"), min_size=1, max_size=60),
    st.integers(0, 2**32),
    st.sampled_from(["evenly", "by_frequency"]),
    st.floats(0, 1),
)
def test_the_invariant_matrix_keeps_the_frequencies_expected(
    values: list[str], seed: int, spread: Any, alpha: float
) -> None:
    step = Pram(
        columns="x",
        retention=0.5,
        spread=spread,
        draw_retention=True,
        invariant=True,
        alpha=alpha,
    )
    facts = outcome(step, text(values), seed=seed).facts
    matrix = np.array(facts["transition"]["x"])
    shares = np.unique(values, return_counts=True)[1] / len(values)
    assert shares @ matrix == pytest.approx(shares, rel=0, abs=1e-12)


def test_frequencies_follow_the_given_matrix() -> None:
    frame = text(["a"] * 20_000 + ["b"] * 20_000)
    after = Pram(columns="x", matrix=MATRIX).protect(frame, seed=3)["x"]
    n_a_to_b = int((after[:20_000] == "b").sum())
    n_b_to_a = int((after[20_000:] == "a").sum())
    # Binomial with 20,000 draws: standard deviations of 42 and 65.
    assert abs(n_a_to_b - 2_000) < 210
    assert abs(n_b_to_a - 6_000) < 325


def test_drawn_frequencies_are_expected_to_stay() -> None:
    values = ["a"] * 60 + ["b"] * 30 + ["c"] * 10
    table = Table(text(values))
    rng = np.random.default_rng(8)
    step = Pram(columns="x", retention=0.6, invariant=True)
    n_rare = [int((step.apply(table, rng).table.frame["x"] == "c").sum()) for _ in range(2000)]
    # One draw varies by less than 3, the mean of 2000 by less than 0.07.
    assert np.mean(n_rare) == pytest.approx(10, abs=0.35)


def test_the_matrix_among_the_facts_turns_the_release_back() -> None:
    rng = np.random.default_rng(2)
    original = rng.choice(["a", "b", "c"], 30_000, p=[0.7, 0.25, 0.05])
    result = outcome(Pram(columns="x", retention={"a": 0.7, "b": 0.8, "c": 0.9}), {"x": original})
    released = np.unique(result.table.frame["x"].to_numpy(), return_counts=True)[1]
    estimate = estimate_frequencies(released, matrix=result.facts["transition"]["x"])
    truth = np.unique(original, return_counts=True)[1]
    # The release alone is off by thousands; the estimate's standard error is about 110.
    assert abs(released - truth).max() > 1500
    assert abs(estimate - truth).max() < 550


def test_rows_of_numbers_mean_the_same_as_names() -> None:
    frame = text(["a", "b"] * 50)
    rows = Pram(columns="x", matrix=[[0.7, 0.3], [0.1, 0.9]], categories=["b", "a"])
    facts = outcome(rows, frame).facts
    assert facts["transition"]["x"] == [[0.7, 0.3], [0.1, 0.9]]
    named = outcome(Pram(columns="x", matrix=MATRIX), frame).facts["transition"]["x"]
    assert np.array(named)[::-1, ::-1].tolist() == facts["transition"]["x"]


def test_rows_that_almost_sum_to_one_are_made_to() -> None:
    third = 0.3333333  # as people write it
    rows = {"a": {"a": third, "b": third, "c": third}, "b": {"b": 1.0}, "c": {"c": 0.9999995}}
    for invariant in (False, True):
        step = Pram.parse({"columns": "x", "matrix": rows, "invariant": invariant})
        found = outcome(step, text([*"aaabbc"])).facts["transition"]["x"]
        assert np.abs(np.array(found).sum(axis=1) - 1).max() < 1e-15
    # What is left over must not all go to the last category.
    assert (
        Pram.parse({"columns": "x", "matrix": rows}).protect(text(["c"] * 50))["x"].n_unique() == 1
    )


def test_a_matrix_may_lead_to_a_category_that_does_not_occur() -> None:
    step = Pram(columns="x", matrix={"1": {"2": 1.0}, "2": {"2": 1.0}})
    after = step.protect({"x": pl.Series([1, None], dtype=pl.Int8)})["x"]
    assert after.to_list() == [2, None]
    assert after.dtype == pl.Int8


def test_retention_shared_by_frequency() -> None:
    step = Pram(columns="x", retention=0.5, spread="by_frequency")
    facts = outcome(step, text(["a"] * 6 + ["b"] * 3 + ["c"])).facts
    assert facts["transition"]["x"][2] == pytest.approx([1 / 3, 1 / 6, 0.5])


def test_drawn_retention_lies_above_its_bound() -> None:
    facts = outcome(Pram(columns="x", retention=0.7, draw_retention=True), text(list("abcd"))).facts
    diagonal = np.diagonal(facts["transition"]["x"])
    assert (diagonal >= 0.7).all()
    assert len(set(diagonal)) == 4


def test_each_stratum_keeps_to_its_own_categories_and_frequencies() -> None:
    frame = pl.DataFrame({"s": [2] * 40 + [1] * 60, "x": ["a", "b"] * 20 + ["c", "c", "d"] * 20})
    step = Pram(columns="x", retention=0.2, invariant=True)
    result = outcome(step, frame, Roles(strata=["s"]))
    after = result.table.frame
    assert set(after.filter(pl.col("s") == 2)["x"]) == {"a", "b"}
    assert set(after.filter(pl.col("s") == 1)["x"]) == {"c", "d"}
    first, second = map(np.array, result.facts["transition_by_stratum"]["x"])
    shares = np.array([0, 0, 2 / 3, 1 / 3])
    assert shares @ first == pytest.approx(shares, abs=1e-12)
    assert second[2:].tolist() == [[0, 0, 1, 0], [0, 0, 0, 1]]
    assert result.facts["n_strata"] == 2


def test_a_stratum_of_missing_cells_stays_as_it_is() -> None:
    frame = pl.DataFrame({"s": [1, 1, 2, 2], "x": ["a", "b", None, None]})
    result = outcome(Pram(columns="x", retention=0), frame, Roles(strata=["s"]))
    assert result.table.frame["x"].to_list() == ["b", "a", None, None]
    assert result.facts["transition_by_stratum"]["x"][1] == [[1, 0], [0, 1]]


def test_a_column_without_a_single_value_stays_as_it_is() -> None:
    frame = pl.DataFrame({"x": pl.Series([None, None], dtype=pl.Null)})
    for step in (Pram(columns="x", retention=0.5), Pram(columns="x", matrix=MATRIX)):
        assert step.protect(frame).equals(frame)


def test_strata_can_be_left_aside() -> None:
    frame = pl.DataFrame({"s": [1] * 50 + [2] * 50, "x": ["a"] * 50 + ["b"] * 50})
    roles = Roles(strata=["s"])
    apart = Pram(columns="x", retention=0).protect(Table(frame, roles)).frame
    assert apart.equals(frame)
    mixed = Pram(columns="x", retention=0, by_strata=False).protect(Table(frame, roles)).frame
    assert set(mixed["x"][:50]) == {"b"}
    with pytest.raises(ColumnError, match="'s' is one of the strata"):
        Pram(columns="s", retention=0.5).protect(Table(frame, roles))


def test_the_order_in_which_text_was_met_before_makes_no_difference() -> None:
    numbers = pl.DataFrame({"s": [3, 1, 2] * 40, "x": [6, 5, 7, 5] * 30})
    # The process numbers texts as it meets them: here the other way round.
    kept = pl.Series([f"met {n}" for n in range(9, -1, -1)], dtype=pl.Categorical())
    texts = numbers.select(pl.format("met {}", pl.col(name)).alias(name) for name in ("s", "x"))
    step, roles = Pram(columns="x", retention=0.5), Roles(strata=["s"])
    drawn, spelt = (
        step.apply(Table(frame, roles), np.random.default_rng(5)).table.frame["x"]
        for frame in (numbers, texts)
    )
    assert spelt.to_list() == [f"met {n}" for n in drawn]
    assert kept.len() == 10


def test_every_kind_of_category_keeps_its_type(any_column: pl.Series) -> None:
    try:
        after = Pram(columns="x", retention=0.5).protect(any_column.to_frame(), seed=1)["x"]
    except ColumnError as error:
        assert "'x'" in str(error)  # noqa: PT017  either way out is right
        assert any_column.dtype.is_temporal() or any_column.dtype.is_numeric()
        assert not any_column.dtype.is_integer()
    else:
        assert after.dtype == any_column.dtype
        assert set(after.to_list()) <= set(any_column.to_list())


def test_facts_count_and_hold_no_value() -> None:
    result = outcome(Pram(columns="x", retention=0), text(["zebra", "yak", None, "yak"]))
    assert result.facts["n_changed"] == {"x": 3}
    assert result.facts["n_missing"] == {"x": 1}
    assert result.facts["n_categories"] == {"x": 2}
    assert "zebra" not in json.dumps(result.facts)


def test_a_large_matrix_is_left_out_of_the_facts() -> None:
    result = outcome(Pram(columns="x", retention=0.5), {"x": range(101)})
    assert result.facts["transition"] == {"x": None}


def test_too_many_categories_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pram, "MOST_CATEGORIES", 3)
    with pytest.raises(ColumnError, match=r"'x' has 4 categories, and step 'pram'.*at most 3"):
        Pram(columns="x", retention=0.5).protect({"x": [1, 2, 3, 4]})


def test_a_category_without_a_row_is_counted_not_named() -> None:
    with pytest.raises(ColumnError, match=r"2 categories .* in 3 records") as caught:
        Pram(columns="x", matrix=MATRIX).protect(text(["a", "yak", "yak", "gnu"]))
    assert "yak" not in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "either retention or matrix"),
        ({"retention": 0.5, "matrix": MATRIX}, "either retention or matrix"),
        ({"retention": 1.5}, "less than or equal to 1"),
        ({"matrix": {"a": {"a": 0.5}}}, "1 rows of the matrix do not sum to one"),
        ({"matrix": {}}, "No rows"),
        ({"matrix": {"a": {"a": 0.5, "b": 0.5}}}, "1 categories of the matrix have no row"),
        ({"matrix": [[1.0]]}, "needs 1 categories; there are none"),
        ({"matrix": [[1.0], [1.0]], "categories": ["a", "b"]}, "2 numbers in each row"),
        ({"matrix": MATRIX, "categories": ["a", "b"]}, "already named"),
        ({"matrix": MATRIX, "draw_retention": True}, "go with retention"),
        ({"retention": 0.5, "alpha": 2}, "less than or equal to 1"),
    ],
)
def test_contradictions_are_refused_before_any_data(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Pram.parse({"columns": ["x"], **fields})


def test_numbers_and_truth_values_may_name_categories() -> None:
    numbers = Pram.parse({"columns": ["x"], "retention": {1: 0.5, 2: 0.25}})
    assert numbers.retention == {"1": 0.5, "2": 0.25}
    truth = Pram.parse({"columns": ["x"], "retention": {True: 0.5, False: 0.25}})
    assert truth.retention == {"true": 0.5, "false": 0.25}
    assert set(truth.protect({"x": [True, False]})["x"]) <= {True, False}


def test_values_may_be_wrong_afterwards() -> None:
    assert Pram(columns="x", retention=0.5).perturbative
    assert not Pram(columns="x", retention=0.5).row_wise


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="Step 'pram' cannot use column 'x'"):
        Pram(columns="x", retention=0.5).protect(nested)
