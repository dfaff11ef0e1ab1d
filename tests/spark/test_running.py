"""Spark gives what the local engine gives; same seed and partitions, same rows."""

from __future__ import annotations

from typing import Any

import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.errors import ColumnError, NotOnSparkError
from microveil.planning.course import TooManyClassesError
from microveil.spark import SparkTable
from microveil.tables import Classes
from tests.planning.test_parts_equal_whole import DETERMINISTIC, people, recipe_of
from tests.spark.cases import back, to_spark

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own

SOME = ("optimal_with_models", "several")


@pytest.mark.parametrize("case", SOME)
def test_spark_gives_what_one_machine_gives(case: str, spark: Any) -> None:
    frame = people()
    recipe = recipe_of(DETERMINISTIC[case])
    release = mv.run(recipe, to_spark(spark, frame), seed=3)
    whole = mv.run(recipe, frame, seed=3).data
    by = [name for name in ("seen", "paid", "born") if name in whole.columns]
    assert_frame_equal(back(release.data).sort(by), whole.sort(by), rel_tol=1e-9)


@pytest.mark.slow
def test_chance_repeats_with_its_seed_and_steps_after_it_see_its_rows(spark: Any) -> None:
    steps: list[dict[str, Any]] = [
        {"method": "pram", "columns": ["town"], "retention": 0.7},
        {"method": "additive_noise", "columns": ["pay"], "sd_share": 0.2},
        {"method": "sample", "share": 0.5},
        {"method": "local_suppression", "k": 3},
    ]
    recipe = recipe_of(steps, require=[{"model": "k_anonymity", "k": 3}])
    frame = to_spark(spark, people())
    one, two = (back(mv.run(recipe, frame, seed=5).data).sort("name") for _ in range(2))
    assert one.equals(two)
    assert one.height == 350
    assert one.group_by("age", "sex", "town").len()["len"].min() >= 3  # type: ignore[operator]
    noise = one.join(people(), on="name")
    moved = (noise["pay"] - noise["pay_right"]).std()
    assert moved == pytest.approx(0.2 * people()["pay"].std(), rel=0.3)  # type: ignore[operator]


def test_what_is_not_there_says_what_to_use_instead(spark: Any) -> None:
    frame = to_spark(spark, people(50))
    mapped = {"method": "pseudonymize", "columns": ["name"], "mapping": True}
    with pytest.raises(NotOnSparkError, match=r"steps\.0\.pseudonymize.*--engine local"):
        mv.run(recipe_of([mapped]), frame)
    nested = spark.createDataFrame([([1, 2],)], "xs array<int>")
    with pytest.raises(ColumnError, match="'xs' is nested"):
        mv.run(mv.Recipe(), nested)
    table = SparkTable(frame, mv.Roles(quasi_identifiers=["name"]), most_classes=10)
    with pytest.raises(TooManyClassesError, match="50 combinations"):
        Classes.of(table)
