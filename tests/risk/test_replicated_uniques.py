from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import microveil as mv
from microveil.risk.replicated_uniques import ReplicatedUniques

cells = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(["a", "b", None])), min_size=1, max_size=15
)


@given(cells, cells)
@settings(max_examples=50)
def test_counts_are_those_of_counting_tuples(
    before: list[tuple[int, str | None]], after: list[tuple[int, str | None]]
) -> None:
    schema = {"n": pl.Int64, "t": pl.String}
    original, released = (pl.DataFrame(rows, schema, orient="row") for rows in (before, after))
    score = ReplicatedUniques(worst_columns=False).measure(original, released)
    alone = [key for key in before if before.count(key) == 1]
    again = [key for key in alone if after.count(key) == 1]
    assert score.parts["n_unique"] == len(alone)
    assert score.parts["n_occurring"] == sum(key in after for key in alone)
    assert score.value == pytest.approx(len(again) / len(before))
    assert score.records is not None
    assert score.records.tolist() == [float(key in again) for key in after]


def test_keys_are_the_quasi_identifiers_that_are_left() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m"], "age": [1, 2, 3], "ill": ["x", "y", "z"]})
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["ill"])
    score = ReplicatedUniques().measure(frame, frame, roles=roles)
    assert score.value == pytest.approx(1 / 3)
    assert score.parts["columns"] == ["sex"]


def test_a_label_of_several_values_is_nobody_s_and_one_of_one_value_is() -> None:
    before = {"age": [20, 30, 40]}
    after = {"age": ["20", "[25, 35)", "[35, 60)"]}
    # "[25, 35)" holds one value of the original only, which is what an intruder would read.
    assert ReplicatedUniques().measure(before, after).value == 1
    wide = {"age": ["20", "[25, 60)", "[25, 60)"]}
    assert ReplicatedUniques().measure(before, wide).value == pytest.approx(1 / 3)


def test_a_category_that_nobody_had_is_nobody_s() -> None:
    assert ReplicatedUniques().measure({"x": ["a"]}, {"x": ["b"]}).value == 0


@pytest.mark.parametrize("height", [0, 1])
def test_empty_tables_and_one_row_are_counted(height: int) -> None:
    frame = pl.DataFrame({"x": [1]}).head(height)
    assert ReplicatedUniques().measure(frame, frame).value == height


def test_a_key_that_the_release_dropped_is_left_out() -> None:
    frame = pl.DataFrame({"a": [1, 2, 2], "b": [1, 2, 3]})
    roles = mv.Roles(quasi_identifiers=["a", "b"])
    score = ReplicatedUniques().measure(frame, frame.drop("b"), roles=roles)
    assert score.parts["columns"] == ["a"]
    assert score.value == pytest.approx(1 / 3)
