from __future__ import annotations

from typing import Any

import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from tests.spark.cases import to_spark
from tests.tabulation.sources.test_opening import TABLES, people


@pytest.mark.parametrize("protect", [mv.Suppress(), mv.CellKeys(identified_by=["key"])])
def test_a_spark_frame_gives_the_cells_of_a_local_one(
    spark: Any,
    protect: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MICROVEIL_KEY", "a secret of sixteen bytes and more")
    rules = [mv.Threshold(n=3), mv.PPercent(p=15)]
    tables = [table for some in TABLES.values() for table in some[:1]]
    tables = [one.model_copy(update={"name": str(at)}) for at, one in enumerate(tables)]
    frame = to_spark(spark, people()).repartition(3)
    for some in (tables[:1], tables[1:2], tables[2:3]):
        there = mv.tabulate(frame, some, rules=rules, protect=protect)
        here = mv.tabulate(people(), some, rules=rules, protect=protect)
        for title, expected in here.frames.items():
            assert_frame_equal(there.frames[title], expected, rel_tol=1e-12)


def test_no_rows_on_spark_are_an_error(spark: Any) -> None:
    with pytest.raises(mv.InputError, match="no rows"):
        mv.tabulate(to_spark(spark, people()).limit(0), mv.Tabulation(by=["town"]))
