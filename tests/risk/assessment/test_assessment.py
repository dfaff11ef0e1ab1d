from __future__ import annotations

import pickle
from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.risk.assessment.assessment import assess_table
from microveil.tables import Roles, Table

FRAME = pl.DataFrame(
    {"town": ["a", "a", "a", "b", "b", "c", None], "sex": ["f", "f", "m", "m", "m", "f", None]}
)
KEYS = Roles(quasi_identifiers=["town"], scenarios={"neighbour": ["town", "sex"]})


def test_class_sizes_are_those_of_plain_counting() -> None:
    found = assess_table(Table(FRAME, KEYS), thresholds={0: 2}, n_worst=2)
    assert (found.n_records, found.n_classes, found.k, found.n_unique) == (7, 4, 1, 2)
    assert found.n_all_missing == 1
    assert found.average_risk == pytest.approx(4 / 7)
    assert found.n_below == 2
    assert found.below_share == pytest.approx(2 / 7)
    assert not found.acceptable
    assert found.unique_records["town"].to_list() == [None, "c"]
    assert [one.size for one in found.worst] == [1, 1]
    assert [one.share for one in found.worst] == pytest.approx([1 / 7] * 2)
    assert found.sizes.to_dict(as_series=False)["n_records"] == [2, 2, 3]
    assert found.models == {"k_anonymity": 1}


def test_every_scenario_is_assessed_by_its_own_keys() -> None:
    found = assess_table(Table(FRAME, KEYS), missing="wildcard").scenarios["neighbour"]
    assert found.quasi_identifiers == ("town", "sex")
    # (a, m) and (c, f) are alone: a record without any key does not hide complete ones.
    assert found.k == 1
    assert found.unique_records.rows() == [("a", "m"), ("c", "f")]
    assert found.missing == "wildcard"


def test_what_is_shown_has_no_value_of_a_record() -> None:
    frame = FRAME.with_columns(town=pl.lit("SECRET") + pl.col("town"))
    found = assess_table(Table(frame, KEYS))
    assert "SECRET" not in repr(found)
    assert "Disclosure risk by town" in repr(found)
    plain = found.to_dict()
    assert plain["highest_risk"] == 1.0
    assert plain["unique_share"] == pytest.approx(2 / 7)


def test_a_table_without_keys_or_records_is_one_class_or_none() -> None:
    whole = assess_table(Table(FRAME, Roles()))
    assert (whole.k, whole.n_classes) == (7, 1)
    empty = assess_table(Table(FRAME.clear(), KEYS))
    assert (empty.n_records, empty.n_classes) == (0, 0)
    assert empty.acceptable


def test_unique_records_are_kept_only_where_they_are_wanted() -> None:
    kept, lean = (assess_table(Table(FRAME, KEYS), records=records) for records in (True, False))
    assert lean.unique_records.is_empty()
    assert lean.scenarios["neighbour"].unique_records.is_empty()
    assert lean.to_dict() == kept.to_dict()


@given(
    st.lists(
        st.tuples(st.sampled_from([None, 1, 2, 3]), st.sampled_from([None, "a", "b"])), max_size=20
    ),
    st.integers(1, 6),
)
def test_the_worst_classes_are_the_smallest_with_the_first_keys(
    records: list[tuple[int | None, str | None]], n_worst: int
) -> None:
    frame = pl.DataFrame(records, schema={"x": pl.Int64, "y": pl.String}, orient="row")
    found = assess_table(Table(frame, Roles(quasi_identifiers=["x", "y"])), n_worst=n_worst)

    def rank(keys: tuple[int | None, str | None]) -> tuple[object, ...]:
        # Missing keys are taken last, and shown first.
        return tuple((key is None, key if key is not None else 0) for key in keys)

    counts = Counter(records)
    chosen = sorted(counts, key=lambda keys: (counts[keys], rank(keys)))[:n_worst]
    shown = {(one.size, tuple(one.values.values())) for one in found.worst}
    assert shown == {(counts[keys], keys) for keys in chosen}
    assert [one.size for one in found.worst] == sorted(one.size for one in found.worst)


def test_a_stored_assessment_holds_the_unique_keys_and_not_the_table() -> None:
    frame = {"name": ["Ann Smith", "Bo Lee", "Cy Poe"], "town": ["a", "b", "b"]}
    found = assess_table(Table(frame, Roles(quasi_identifiers=["town"])))
    stored = pickle.dumps(found)
    assert b"Ann Smith" not in stored
    assert pickle.loads(stored).unique_records.rows() == [("a",)]  # noqa: S301  our own
