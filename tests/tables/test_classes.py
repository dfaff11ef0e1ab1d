from __future__ import annotations

from collections import Counter
from typing import Any

import polars as pl
import pytest
from hypothesis import given

import microveil as mv
from microveil.tables import LazyTable
from tests.privacy.naive import counts_for
from tests.tables.cases import rows, table


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


def test_nested_keys_are_refused_by_name() -> None:
    with pytest.raises(mv.ColumnError, match="'tags'"):
        mv.Classes.of(mv.Table({"tags": [["a"], ["b"]]}), ["tags"])


def test_without_keys_a_table_can_still_be_assessed() -> None:
    release = mv.run(mv.Recipe(), {"x": [1, 2, 3]})
    assert (release.risk.k, release.risk.n_unique, release.risk.worst[0].values) == (3, 0, {})
    assert mv.run(mv.Recipe(), {"x": [1]}).risk.n_unique == 1


@pytest.mark.parametrize("keys", [["f", "m"], [1, 2]])
def test_weights_need_a_number_for_everybody_whatever_the_keys_are(keys: list[Any]) -> None:
    roles = mv.Roles(quasi_identifiers=["q"], weight="w")
    for weights in ([1.5, None], ["a", "b"]):
        for data in (mv.Table, lambda frame, roles: LazyTable(pl.DataFrame(frame).lazy(), roles)):
            classes = mv.Classes.of(data({"q": keys, "w": weights}, roles))
            with pytest.raises(mv.ColumnError, match="Weight column 'w' must be numeric"):
                _ = classes.weights


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


def test_classes_show_their_sizes_and_no_keys() -> None:
    classes = mv.Classes.of(mv.Table({"town": ["Lugo", "Lugo", "Vigo"]}), ["town"])
    assert "2 classes of 3 records by town" in repr(classes)
    assert "smallest class: 1" in classes._repr_html_()
    assert "Vigo" not in repr(classes)
