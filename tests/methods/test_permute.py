from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import ColumnError, SpecError
from microveil.methods.permute import Permute
from microveil.tables import Table

rows = st.lists(
    st.tuples(st.sampled_from([1, 2, None]), st.integers(0, 9) | st.none(), st.integers(0, 9)),
    max_size=40,
)


def frame_of(records: list[Any]) -> pl.DataFrame:
    schema = {"g": pl.Int64, "x": pl.Int64, "y": pl.Int64}
    return pl.DataFrame(records, schema=schema, orient="row")


@given(rows, st.integers(0, 2**32))
def test_each_column_keeps_exactly_its_values(records: list[Any], seed: int) -> None:
    before = frame_of(records)
    after = Permute(columns=["x", "y"]).protect(before, seed=seed)
    for name in ("x", "y"):
        assert Counter(after[name].to_list()) == Counter(before[name].to_list())
    assert after["g"].equals(before["g"])


@given(rows, st.integers(0, 2**32))
def test_together_keeps_the_columns_relations(records: list[Any], seed: int) -> None:
    before = frame_of(records)
    after = Permute(columns=["x", "y"], together=True).protect(before, seed=seed)
    assert Counter(after.select("x", "y").rows()) == Counter(before.select("x", "y").rows())


@given(rows, st.integers(0, 2**32))
def test_within_groups_no_value_leaves_its_group(records: list[Any], seed: int) -> None:
    before = frame_of(records)
    after = Permute(columns="x", within="g").protect(before, seed=seed)
    assert Counter(after.select("g", "x").rows()) == Counter(before.select("g", "x").rows())
    assert after["y"].equals(before["y"])


@pytest.mark.parametrize("within", [(), ("g",)])
def test_every_order_is_equally_likely(within: tuple[str, ...]) -> None:
    rng = np.random.default_rng(3)
    table = Table({"g": [1, 1, 1, 2], "x": [1, 2, 3, 9]})
    step = Permute(columns="x", within=within)
    drawn = Counter(tuple(step.apply(table, rng).table.frame["x"]) for _ in range(2400))
    n_orders = 6 if within else 24
    assert len(drawn) == n_orders
    # 400 (or 100) each are expected, with a standard deviation of 18 (or 10).
    assert all(abs(n - 2400 / n_orders) < 5 * (2400 / n_orders) ** 0.5 for n in drawn.values())


def test_apart_the_columns_part_company() -> None:
    frame = pl.DataFrame({"x": range(100), "y": range(100)})
    after = Permute(columns=["x", "y"]).protect(frame, seed=1)
    assert not after["x"].equals(after["y"], check_names=False)


def test_facts_count_what_moved_and_who_is_alone() -> None:
    table = Table({"g": [1, 1, 2], "x": ["same", "same", "alone"]})
    outcome = Permute(columns="x", within="g").apply(table, np.random.default_rng(0))
    assert outcome.facts == {"n_changed": {"x": 0}, "n_alone": 1}


def test_every_kind_of_column_can_be_mixed(any_column: pl.Series) -> None:
    after = Permute(columns="x").protect(any_column.to_frame(), seed=1)["x"]
    assert after.dtype == any_column.dtype
    assert Counter(after.to_list()) == Counter(any_column.to_list())


def test_values_may_be_wrong_afterwards() -> None:
    assert Permute(columns="x").perturbative
    assert not Permute(columns="x").row_wise


def test_a_column_is_not_mixed_within_itself() -> None:
    with pytest.raises(SpecError, match="'x' cannot be in both columns and within"):
        Permute.parse({"columns": ["x"], "within": ["x"]})


def test_nested_cells_are_refused_by_name(nested: pl.DataFrame) -> None:
    with pytest.raises(ColumnError, match="Step 'permute' cannot use column 'x'"):
        Permute(columns="x").protect(nested)
