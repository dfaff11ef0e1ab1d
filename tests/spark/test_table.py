"""A Spark frame is counted as a table is, and only counts reach the driver."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError, NotOnSparkError
from microveil.spark import SparkTable
from microveil.spark.table import KnownClasses
from microveil.tables import Classes
from microveil.tables.table import Counted, count_distinct_rows
from tests.planning.test_parts_equal_whole import people
from tests.spark.cases import to_spark

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own


def test_classes_models_and_assessments_are_counted_by_spark(spark: Any) -> None:
    frame, roles = people(), mv.Roles(quasi_identifiers=["sex", "town"], sensitive=["ill"])
    table = SparkTable(to_spark(spark, frame), roles)
    local = mv.Table(frame, roles)
    for missing in ("category", "wildcard"):
        there, here = Classes.of(table, missing=missing), Classes.of(local, missing=missing)
        assert sorted(there.sizes.tolist()) == sorted(here.sizes.tolist())
    model = mv.LDiversity(l=2, column="ill")
    assert model.verify(Classes.of(table)).achieved == model.verify(Classes.of(local)).achieved
    assert mv.assess(to_spark(spark, frame), roles).k == mv.assess(frame, roles).k


def test_spark_frames_are_assessed_and_compared_by_their_counts(spark: Any) -> None:
    roles = mv.Roles(quasi_identifiers=["sex", "town"], sensitive=["ill"])
    local = people()
    frame = to_spark(spark, local)
    found, whole = mv.assess(frame, roles), mv.assess(local, roles)
    assert (found.k, found.n_classes, found.n_unique) == (whole.k, whole.n_classes, whole.n_unique)
    assert found.skipped
    released = frame.drop("name").filter("town is not null")
    both = mv.compare(frame, released, roles)
    assert both.before.k == whole.k
    assert both.after.n_records == local["town"].count()
    distances = both.utility["count_distance"].parts["columns"]
    share = local["town"].null_count() / local.height
    assert distances["town"] == pytest.approx(share)
    assert "name" not in distances


def test_rows_are_refused_and_counts_are_given(spark: Any) -> None:
    frame = pl.DataFrame({"a`b": ["x", "", None, "x"], "w": [1.0, 2.0, None, 4.0]})
    table = SparkTable(to_spark(spark, frame), mv.Roles())
    found = table.count_distinct(["a`b"], "w")
    assert found.keys.rows() == [(None,), ("x",)]
    assert (found.counts.tolist(), found.weights.tolist()) == ([2, 2], [2.0, 5.0])  # type: ignore[union-attr]
    assert (table.n_missing("a`b"), table.smallest("w").to_list()) == (2, [1.0])
    with pytest.raises(NotOnSparkError, match="Column 'w' of all records"):
        table.column("w")


def test_people_are_counted_on_the_driver_if_it_may_hold_them(spark: Any) -> None:
    frame = pl.DataFrame({"who": [1, 1, 2, 3], "sex": ["f", "f", "f", "m"]})
    roles = mv.Roles(quasi_identifiers=["sex"], entity="who")
    there = to_spark(spark, frame)
    assert Classes.of(SparkTable(there, roles)).counts.tolist() == [2, 1]
    with pytest.raises(InputError, match="Counting people would take"):
        Classes.of(SparkTable(there, roles, most_classes=0))


def test_classes_that_are_known_are_not_counted_anew(spark: Any) -> None:
    frame = people().select("sex", "town", "ill")
    whole = count_distinct_rows(frame.lazy(), ["sex", "town"])
    twice = Counted(whole.keys, 2 * whole.counts)  # to be told from the counts of the rows
    known = KnownClasses(("sex", "town"), twice.of, frame.head(3))
    plain, told = (
        SparkTable(to_spark(spark, frame), mv.Roles(), 100, one) for one in (None, known)
    )
    for columns in (["town"], ["town", "sex"]):
        found, expected = told.count_distinct(columns), plain.count_distinct(columns)
        assert found.keys.rows() == expected.keys.rows()
        assert (found.counts == 2 * expected.counts).all()
    assert told.height == 2 * frame.height  # nor are rows
    assert (told.count_distinct(["ill"]).counts == plain.count_distinct(["ill"]).counts).all()
    assert told.count_distinct([]).n_records == frame.height
    assert told.head.rows() == frame.head(3).rows()
