"""Steps that see all rows on the driver give what one machine gives."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError, NotOnSparkError
from microveil.spark import run_on_spark
from tests.conformance.engines import people
from tests.spark.cases import back, to_spark

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own
ROLES = mv.Roles(quasi_identifiers=["sex", "age"], household="home", entity="person")


def recipe(*steps: mv.Method, **more: Any) -> mv.Recipe:
    return mv.Recipe(roles=ROLES, steps=steps, keep=["home", "person"], undeclared="keep", **more)


def test_rows_keep_their_order_and_their_other_columns(spark: Any) -> None:
    frame = people()
    steps = [mv.SuppressRecords(k=4), mv.Aggregate(columns=["x"], by=["sex"], statistic="mean")]
    asked = recipe(*steps, require=[mv.KAnonymity(k=4)])
    release = run_on_spark(asked, to_spark(spark, frame, 1), seed=3)
    local = mv.run(asked, frame, seed=3)
    assert 0 < local.table.height < frame.height
    assert back(release.data).equals(local.table.frame.select(release.data.columns))
    assert release.checks[0].achieved == local.checks[0].achieved


def test_chance_moves_values_and_repeats_with_its_seed(spark: Any) -> None:
    frame, roles = people(), mv.Roles(strata=["region"])
    step = mv.RankSwap(columns=["x"], range_share=0.2)
    asked = mv.Recipe(roles=roles, steps=[step], undeclared="keep")
    there = to_spark(spark, frame, 2)
    one, two = (back(mv.run(asked, there, seed=5).data) for _ in range(2))
    assert one.equals(two)
    assert one["x"].to_list() != frame["x"].to_list()
    assert one["x"].sort().equals(frame["x"].sort())


def test_drawn_rows_take_the_place_of_all_others(spark: Any) -> None:
    frame = people().select("sex", "age", "x", "day")
    asked = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["sex", "age"]),
        steps=[mv.Synthesize(), mv.SuppressRecords(k=2)],
        undeclared="keep",
    )
    drawn = back(mv.run(asked, to_spark(spark, frame), seed=1).data)
    assert drawn.schema == frame.schema
    assert 0 < drawn.height <= frame.height
    assert set(drawn["age"]) <= set(frame["age"])


def test_what_the_driver_cannot_hold_or_write_is_refused(spark: Any) -> None:
    step = mv.Synthesize(copies=2)
    there = to_spark(spark, people(30).select("sex", "x"))
    with pytest.raises(NotOnSparkError, match="makes further tables"):
        mv.run(mv.Recipe(steps=[step], undeclared="keep"), there, seed=1)
    from microveil.spark.engine import SparkEngine
    from microveil.spark.whole import apply_whole

    engine = SparkEngine(there, mv.Roles(), 1, 10)
    head = mv.Table(pl.DataFrame({"sex": ["f"], "x": [1]}))
    rng: Any = None
    with pytest.raises(InputError, match=r"all rows of its columns would take.*memory_limit"):
        apply_whole(mv.Permute(columns=["x"]), there, head, rng, engine.may_hold)
