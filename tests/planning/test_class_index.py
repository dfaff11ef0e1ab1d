"""Rows find their class, by a join or among sorted numbers."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from microveil.planning import class_index
from microveil.planning.class_index import ClassIndex, places

KEYS = pl.DataFrame({"sex": ["f", "m", None], "age": [30, 40, 50]})


def test_missing_cells_find_their_place() -> None:
    rows = pl.DataFrame({"sex": [None, "m", "m"], "age": [50, 40, 41]})
    assert places(KEYS, rows).to_list() == [2, 1, None]


ROWS = st.lists(
    st.tuples(
        st.none() | st.sampled_from("abc"),
        st.none() | st.integers(0, 4),
        st.none() | st.sampled_from([0.5, 2.0, 1e300]),
    ),
    min_size=1,
    max_size=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ROWS, ROWS)
def test_sorted_numbers_find_what_a_join_finds(
    monkeypatch: pytest.MonkeyPatch, some: list[Any], others: list[Any]
) -> None:
    schema = {"a": pl.String, "b": pl.Int64, "c": pl.Float64}
    keys = pl.DataFrame(some, schema=schema, orient="row").unique(maintain_order=True)
    rows = pl.DataFrame(some + others, schema=schema, orient="row").with_columns(more=1)
    monkeypatch.setattr(class_index, "MANY", 0)
    found = ClassIndex(keys).places(rows)
    assert found.dtype == pl.Int64
    assert found.to_list() == places(keys, rows).to_list()


def test_more_combinations_than_an_integer_can_number_are_joined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(class_index, "MANY", 0)
    monkeypatch.setattr(class_index, "LARGEST", 3)
    assert ClassIndex(KEYS).places(KEYS.reverse()).to_list() == [2, 1, 0]


@pytest.mark.parametrize(
    "values",
    [list(range(50)), [f"name {i}" for i in range(50)], [None, *(i / 7 for i in range(40))]],
)
def test_very_many_values_are_found_without_a_join(
    values: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(class_index, "MANY", 2)
    keys = pl.DataFrame({"a": values, "b": [1, 2] * (len(values) // 2) + [1] * (len(values) % 2)})
    strange = pl.DataFrame({"a": [values[3], None, values[-1]], "b": [9, 1, keys["b"][-1]]})
    rows = pl.concat([keys[::-1], strange.cast(keys.schema)])
    found = class_index.ClassIndex(keys).places(rows)
    assert found.to_list() == class_index.places(keys, rows).to_list()


def test_values_of_one_hash_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    same = pl.Series([7, 7], dtype=pl.UInt64)
    monkeypatch.setattr(pl.Series, "hash", lambda *_: same)
    assert class_index.ValueIndex.of(pl.DataFrame({"a": ["x", "y"]})) is None
