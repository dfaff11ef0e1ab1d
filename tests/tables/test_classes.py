from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.tables import LazyTable, to_polars
from microveil.tables import codes as codes_module
from microveil.tables.class_sources import GroupedSource, PackedSource
from microveil.tables.codes import encode, pack
from tests.privacy.naive import counts_for

cells = st.one_of(st.none(), st.integers(-3, 3))
texts = st.one_of(st.none(), st.sampled_from(["a", "b", "ab", ""]))
floats = st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.5, 1e300, -2.0]))
raw_rows = st.lists(st.tuples(cells, texts, floats), max_size=40)
rows = raw_rows.map(lambda records: [(a, b or None, c) for a, b, c in records])
"""What is counted: an empty text is a missing one."""


def table(records: list[tuple[Any, ...]], **roles: Any) -> mv.Table:
    schema = {"a": pl.Int64, "b": pl.String, "c": pl.Float64}
    frame = pl.DataFrame(records, schema=schema, orient="row")
    return mv.Table(frame, mv.Roles(quasi_identifiers=["a", "b", "c"], **roles))


@given(rows)
def test_sizes_are_plain_counts_and_missing_is_a_value(records: list[tuple[Any, ...]]) -> None:
    classes = mv.Classes.of(table(records))
    counts = Counter(records)
    assert sorted(classes.sizes.tolist()) == sorted(counts.values())
    per_record = classes.of_records(classes.sizes).tolist()
    assert per_record == [counts[record] for record in records]
    assert dict(zip(classes.keys.rows(), classes.sizes.tolist(), strict=True)) == counts


@given(rows)
def test_a_wildcard_matches_every_value(records: list[tuple[Any, ...]]) -> None:
    classes = mv.Classes.of(table(records), missing="wildcard")
    expected = [sum(counts_for(other, one) for other in records) for one in records]
    assert classes.of_records(classes.sizes).tolist() == expected


def test_keys_that_fill_more_than_one_number_are_told_apart() -> None:
    """Three keys of 30 bits: without numbering anew, 0 and 16 in the first would be one."""
    top = 2**30 - 1
    frame = pl.DataFrame({"a": [0, 16, 32, 0, top], "b": [0, 0, 0, 0, top], "c": [0, 0, 0, 0, top]})
    packed = pack(frame, ["a", "b", "c"])
    assert len(np.unique(packed.values)) == 4
    assert packed.values.min() >= 0
    assert packed.values.max() < packed.radix <= codes_module.PACKED_LIMIT
    classes = mv.Classes.of(mv.Table(frame, mv.Roles(quasi_identifiers=["a", "b", "c"])))
    assert classes.of_records(classes.sizes).tolist() == [2, 1, 1, 2, 1]


@given(rows, st.integers(2, 40))
def test_however_small_the_room_equal_keys_stay_equal(
    records: list[tuple[Any, ...]], limit: int
) -> None:
    data = table(records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codes_module, "PACKED_LIMIT", limit)
        tight = pack(data.frame, ["a", "b", "c"]).values
    for i, one in enumerate(records):
        assert [tight[i] == other for other in tight] == [one == other for other in records]


@given(rows)
def test_packed_and_grouped_classes_are_the_same(records: list[tuple[Any, ...]]) -> None:
    data = table(records)
    keys = ("a", "b", "c")
    packed, grouped = PackedSource(data, keys), GroupedSource(data, keys)
    for source in (packed, grouped):
        assert source.class_counts[source.record_class].tolist() == [
            Counter(records)[record] for record in records
        ]
        assert source.keys[source.record_class].rows() == records


@given(rows)
def test_k_never_falls_when_a_key_is_dropped(records: list[tuple[Any, ...]]) -> None:
    data = table(records)
    assert mv.Classes.of(data, ["a", "b"]).k >= mv.Classes.of(data).k


def test_a_unique_record_with_a_missing_key_counts_as_unique() -> None:
    data = mv.Table({"zip": ["1", "1", "1", "1", None]}, mv.Roles(quasi_identifiers=["zip"]))
    assert mv.Classes.of(data).k == 1


def test_nan_keys_are_missing_keys() -> None:
    data = mv.Table({"x": [1.0, float("nan"), None]}, mv.Roles(quasi_identifiers=["x"]))
    assert sorted(mv.Classes.of(data).sizes.tolist()) == [1, 2]


def test_classes_count_people_where_rows_have_an_entity() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], entity="person")
    data = mv.Table({"sex": ["f", "f", "f", "m"], "person": [1, 1, 2, 3]}, roles)
    classes = mv.Classes.of(data)
    assert dict(zip(classes.keys["sex"], classes.sizes, strict=True)) == {"f": 2, "m": 1}
    assert int(classes.record_counts.sum()) == 4


def test_weights_are_summed_by_class() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], weight="w")
    classes = mv.Classes.of(mv.Table({"sex": ["f", "m", "f"], "w": [1.5, 2.0, 3.0]}, roles))
    assert classes.weights is not None
    assert dict(zip(classes.keys["sex"], classes.weights, strict=True)) == {"f": 4.5, "m": 2.0}


def test_a_weight_with_gaps_is_refused() -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], weight="w")
    classes = mv.Classes.of(mv.Table({"sex": ["f", "m"], "w": [1.5, None]}, roles))
    with pytest.raises(mv.ColumnError, match="Weight column 'w'"):
        _ = classes.weights


def test_histograms_count_pairs_of_class_and_value() -> None:
    data = mv.Table({"sex": ["f", "f", "m", "m"], "ill": ["x", "x", "y", None]})
    histogram = mv.Classes.of(data, ["sex"]).histogram("ill")
    assert sorted(histogram.counts.tolist()) == [1, 1, 2]
    assert histogram.n_values == 3


def test_an_empty_table_has_no_class() -> None:
    classes = mv.Classes.of(table([]))
    assert (classes.n_classes, classes.k, classes.keys.height) == (0, 0, 0)


def test_without_keys_the_whole_table_is_one_class() -> None:
    assert mv.Classes.of(mv.Table({"x": [1, 2, 3]}), []).sizes.tolist() == [3]


@pytest.mark.parametrize(
    "values",
    [
        pl.Series([255, None, 0], dtype=pl.UInt8),
        pl.Series([-128, 127, None], dtype=pl.Int8),
        pl.Series([2**63 - 1, -(2**63), None]),
        pl.Series([2**64 - 1, 0, None], dtype=pl.UInt64),
        pl.Series([True, None, False]),
        pl.Series([None, None], dtype=pl.String),
        pl.Series(["x", None, "y"], dtype=pl.Categorical),
        pl.Series(["x", None, "y"], dtype=pl.Enum(["y", "x"])),
        pl.Series([b"x", None, b"\xff"], dtype=pl.Binary),
    ],
    ids=lambda series: str(series.dtype),
)
def test_codes_are_equal_exactly_where_values_are(values: pl.Series) -> None:
    codes = encode(values)
    expected = np.array([[a == b for b in values.to_list()] for a in values.to_list()])
    assert ((codes.values[:, None] == codes.values) == expected).all()
    assert codes.values.min() >= 0
    assert codes.values.max() < codes.radix


def test_nested_keys_are_refused_by_name() -> None:
    with pytest.raises(mv.ColumnError, match="'tags'"):
        mv.Classes.of(mv.Table({"tags": [["a"], ["b"]]}), ["tags"])


def test_a_plain_dict_is_a_table_too() -> None:
    assert to_polars({"x": [1]}).height == 1


def test_without_keys_a_table_can_still_be_assessed() -> None:
    release = mv.run(mv.Recipe(), {"x": [1, 2, 3]})
    assert (release.risk.k, release.risk.n_unique, release.risk.worst[0].values) == (3, 0, {})
    assert mv.run(mv.Recipe(), {"x": [1]}).risk.n_unique == 1


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


@pytest.mark.parametrize("keys", [["f", "m"], [1, 2]])
def test_weights_need_a_number_for_everybody_whatever_the_keys_are(keys: list[Any]) -> None:
    roles = mv.Roles(quasi_identifiers=["q"], weight="w")
    for weights in ([1.5, None], ["a", "b"]):
        for data in (mv.Table, lambda frame, roles: LazyTable(pl.DataFrame(frame).lazy(), roles)):
            classes = mv.Classes.of(data({"q": keys, "w": weights}, roles))
            with pytest.raises(mv.ColumnError, match="Weight column 'w' must be numeric"):
                _ = classes.weights


@pytest.mark.parametrize("lazy", [False, True])
def test_classes_of_text_come_in_the_order_of_their_keys(lazy: bool) -> None:  # noqa: FBT001  a parameter
    rng = np.random.default_rng(5)
    words = [f"w{i:05d}" for i in rng.permutation(20_000)]
    frame = pl.DataFrame({"q": words})
    roles = mv.Roles(quasi_identifiers=["q"])
    data: Any = LazyTable(frame.lazy(), roles) if lazy else mv.Table(frame, roles)
    assert mv.Classes.of(data).keys["q"].to_list() == sorted(words)


def test_a_record_is_suppressed_when_every_key_is_missing_not_when_one_is() -> None:
    data = mv.Table({"a": ["x", None, None, "x"], "b": [1, 2, None, None]})
    classes = mv.Classes.of(data, ["a", "b"])
    assert classes.all_missing[classes.record_class].tolist() == [False, False, True, False]
    nothing = mv.Classes.of(data, [])
    assert nothing.all_missing.tolist() == [False]


def test_records_are_counted_beside_people() -> None:
    roles = mv.Roles(quasi_identifiers=["q"], entity="id")
    classes = mv.Classes.of(mv.Table({"q": ["x"] * 5, "id": [1, 1, 1, 2, 2]}, roles))
    assert (classes.n_records, int(classes.counts.sum())) == (5, 2)
    check = mv.KAnonymity(k=3).verify(classes)
    assert (check.n_records, check.n_broken, check.achieved) == (5, 5, 2)
