from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods.parts.transitions import estimate_frequencies, keep_probability
from microveil.methods.randomized_response import RandomizedResponse
from microveil.tables import Roles, Table


def outcome(step: RandomizedResponse, frame: Any, roles: Roles | None = None, seed: int = 1) -> Any:
    return step.apply(Table(frame, roles), np.random.default_rng(seed))


@given(
    st.lists(st.sampled_from(["a", "b", None]), max_size=40),
    st.floats(0.01, 5),
    st.integers(0, 2**32),
)
def test_answers_are_categories_and_missing_stays_missing(
    values: list[str | None], epsilon: float, seed: int
) -> None:
    before = pl.DataFrame({"x": pl.Series(values, dtype=pl.String)})
    step = RandomizedResponse(columns="x", epsilon=epsilon, categories=["a", "b", "c"])
    after = step.protect(before, seed=seed)["x"]
    assert after.is_null().equals(before["x"].is_null())
    assert set(after.to_list()) <= {"a", "b", "c", None}


def test_two_coins_keep_three_of_four_answers() -> None:
    frame = pl.DataFrame({"x": [True] * 40_000})
    step = RandomizedResponse(columns="x", epsilon=math.log(3), categories=[True, False])
    result = outcome(step, frame)
    # Binomial: a standard deviation of 87.
    assert abs(result.table.frame["x"].sum() - 30_000) < 450
    assert result.facts["keep_probability"]["x"] == pytest.approx(0.75)


def test_every_other_answer_is_equally_likely() -> None:
    step = RandomizedResponse(columns="x", epsilon=0.5, categories=["a", "b", "c", "d"])
    after = step.protect({"x": ["b"] * 40_000}, seed=4)["x"]
    counts = dict(after.value_counts().iter_rows())
    keep = keep_probability(4, 0.5)
    expected = dict.fromkeys("acd", 40_000 * (1 - keep) / 3) | {"b": 40_000 * keep}
    # Standard deviations of about 90.
    assert all(abs(counts[name] - n) < 5 * math.sqrt(n) for name, n in expected.items())


def test_the_estimate_of_frequencies_has_no_bias() -> None:
    rng = np.random.default_rng(6)
    table = Table({"x": ["a"] * 60 + ["b"] * 30 + ["c"] * 10})
    step = RandomizedResponse(columns="x", epsilon=1, categories=["a", "b", "c"])
    estimates = []
    for _ in range(1500):
        after = step.apply(table, rng).table.frame["x"]
        released = [int((after == name).sum()) for name in "abc"]
        estimates.append(estimate_frequencies(released, epsilon=1))
    error = np.std(estimates, axis=0) / math.sqrt(1500)
    assert (abs(np.mean(estimates, axis=0) - [60, 30, 10]) < 4.5 * error).all()


def test_several_columns_add_their_epsilons() -> None:
    frame = {"x": ["a", "b"], "y": [1, 2]}
    facts = outcome(RandomizedResponse(columns=["x", "y"], epsilon=0.7), frame).facts
    assert facts["epsilon"] == 0.7
    assert facts["epsilon_per_record"] == pytest.approx(1.4)


def test_several_rows_of_a_person_add_up_too() -> None:
    frame = {"who": [1, 1, 1, 2], "x": ["a", "b", "a", "b"]}
    facts = outcome(RandomizedResponse(columns="x", epsilon=0.5), frame, Roles(entity="who")).facts
    assert facts["epsilon_per_entity"] == pytest.approx(1.5)


def test_facts_say_where_the_categories_come_from() -> None:
    frame = {"x": ["zebra", "yak", None]}
    from_data = outcome(RandomizedResponse(columns="x", epsilon=1), frame).facts
    assert from_data["categories_from"] == "data"
    given = RandomizedResponse(columns="x", epsilon=1, categories=["yak", "zebra", "gnu"])
    facts = outcome(given, frame).facts
    assert facts["categories_from"] == "recipe"
    assert facts["n_categories"] == {"x": 3}
    assert facts["n_missing"] == {"x": 1}
    assert "zebra" not in json.dumps([from_data, facts])


def test_a_lone_category_has_nothing_to_change_to() -> None:
    result = outcome(RandomizedResponse(columns="x", epsilon=0.1), {"x": ["a", "a", None]})
    assert result.table.frame["x"].to_list() == ["a", "a", None]
    assert result.facts["keep_probability"] == {"x": 1.0}


def test_an_answer_outside_the_categories_is_counted_not_named() -> None:
    with pytest.raises(ColumnError, match=r"1 categories .* in 2 records") as caught:
        RandomizedResponse(columns="x", epsilon=1, categories=["a"]).protect({"x": ["yak", "yak"]})
    assert "yak" not in str(caught.value)


def test_every_kind_of_category_keeps_its_type(any_column: pl.Series) -> None:
    try:
        after = RandomizedResponse(columns="x", epsilon=1).protect(any_column.to_frame())["x"]
    except ColumnError as error:
        assert "'x'" in str(error)  # noqa: PT017  either way out is right
    else:
        assert after.dtype == any_column.dtype
        assert set(after.to_list()) <= set(any_column.to_list())


def test_an_enum_answers_with_declared_categories_when_asked() -> None:
    series = pl.Series("x", ["a"] * 200, dtype=pl.Enum(["a", "b", "c"]))
    step = RandomizedResponse(columns="x", epsilon=0.1, categories=["a", "b", "c"])
    after = step.protect(series.to_frame(), seed=1)["x"]
    assert after.dtype == series.dtype
    assert set(after.to_list()) == {"a", "b", "c"}


@pytest.mark.parametrize("fields", [{"epsilon": 0}, {"epsilon": -1}, {}, {"epsilon": math.inf}])
def test_epsilon_must_be_a_positive_number(fields: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="epsilon"):
        RandomizedResponse.parse({"columns": ["x"], **fields})


def test_values_may_be_wrong_afterwards() -> None:
    assert RandomizedResponse(columns="x", epsilon=1).perturbative
