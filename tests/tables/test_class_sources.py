from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.tables import LazyTable
from microveil.tables.class_sources import (
    GroupedSource,
    PackedSource,
    class_source,
    numbered_by,
)
from tests.tables.cases import rows, table


@given(rows, st.sampled_from(["category", "wildcard"]))
def test_a_plan_has_the_classes_of_its_table(records: list[tuple[Any, ...]], missing: Any) -> None:
    data = table(records)
    plan = LazyTable(data.frame.lazy(), data.roles)
    held, streamed = mv.Classes.of(data, missing=missing), mv.Classes.of(plan, missing=missing)
    pairs = zip(held.keys.rows(), held.sizes.tolist(), strict=True)
    assert dict(zip(streamed.keys.rows(), streamed.sizes.tolist(), strict=True)) == dict(pairs)
    assert streamed.n_records == held.n_records


@given(rows)
def test_a_plan_has_the_histograms_of_its_table(records: list[tuple[Any, ...]]) -> None:
    data = table(records)
    both = [
        mv.Classes.of(source, ["a"]) for source in (data, LazyTable(data.frame.lazy(), data.roles))
    ]
    counted = []
    for classes in both:
        histogram = classes.histogram("b")
        keys = classes.keys["a"].gather(histogram.classes).to_list()
        counted.append(sorted(zip(map(str, keys), histogram.counts.tolist(), strict=True)))
        assert histogram.n_values == data.frame["b"].n_unique()
    assert counted[0] == counted[1]


def test_a_plan_counts_people_and_sums_weights() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], entity="person", weight="w")
    frame = pl.DataFrame({"sex": ["m", "f", "f"], "person": [3, 1, 1], "w": [1.5, 1.0, 2.0]})
    classes = mv.Classes.of(LazyTable(frame.lazy(), roles))
    assert classes.sizes.tolist() == [1, 1]
    assert classes.weights is not None
    found = dict(zip(classes.keys["sex"], classes.weights, strict=True))
    assert found == {"f": 1.5, "m": 1.5}  # a person counts once, with the mean of the rows


@pytest.mark.parametrize("lazy", [False, True])
def test_classes_of_text_come_in_the_order_of_their_keys(lazy: bool) -> None:  # noqa: FBT001  a parameter
    rng = np.random.default_rng(5)
    words = [f"w{i:05d}" for i in rng.permutation(20_000)]
    frame = pl.DataFrame({"q": words})
    roles = mv.Roles(quasi_identifiers=["q"])
    data: Any = LazyTable(frame.lazy(), roles) if lazy else mv.Table(frame, roles)
    assert mv.Classes.of(data).keys["q"].to_list() == sorted(words)


def test_text_is_packed_where_each_value_has_many_records_and_grouped_where_it_has_few() -> None:
    rng = np.random.default_rng(2)
    n = 60_000
    town, one_each = rng.integers(0, 3_000, n), rng.permutation(n)
    frame = pl.DataFrame({"town": town, "name": one_each, "age": one_each}).with_columns(
        pl.col("town", "name").cast(pl.String)
    )
    data = mv.Table(frame)
    packed, grouped = class_source(data, ("town", "age")), class_source(data, ("name", "age"))
    assert isinstance(packed, PackedSource)
    assert isinstance(grouped, GroupedSource)
    assert len(packed.class_counts) == len(grouped.class_counts) == n
    for source in (packed, grouped):
        for name in source.keys.columns:
            assert source.key(name).equals(source.keys[name])


@pytest.mark.parametrize("in_order", [True, False])
def test_not_a_number_is_found_among_sorted_keys(in_order: bool) -> None:  # noqa: FBT001  a case
    keys = pl.DataFrame({"x": [None, 0.0, 1.5, float("nan")]}).sort("x")
    cells = pl.DataFrame({"x": [None, -0.0, 0.0, 1.5, 1.5, float("nan")]}).sort("x")
    found = numbered_by(keys, cells if in_order else cells.reverse())
    assert found.tolist() == ([0, 1, 1, 2, 2, 3] if in_order else [3, 2, 2, 1, 1, 0])
