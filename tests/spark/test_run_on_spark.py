"""Spark gives what the local engine gives; same seed and partitions, same rows."""

from __future__ import annotations

from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import microveil as mv
from microveil.errors import (
    ColumnError,
    FileError,
    InputError,
    NotOnSparkError,
    RequirementNotMetError,
)
from microveil.planning.course import TooManyClassesError
from microveil.spark import SparkTable
from microveil.tables import Classes
from tests.planning.test_parts_equal_whole import DETERMINISTIC, HIERARCHIES, people, recipe_of

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own

SOME = ("optimal_with_models", "several")


def to_spark(spark: Any, frame: pl.DataFrame, n_partitions: int = 3) -> Any:
    folder = Path(mkdtemp(prefix="microveil-test-"))
    frame.write_parquet(folder / "table.parquet")
    # By way of a file: Spark takes clocks on the wall out of a frame for moments in time.
    return spark.read.parquet(str(folder)).repartition(n_partitions)


def back(frame: Any) -> pl.DataFrame:
    found = pl.from_arrow(frame.toArrow())
    assert isinstance(found, pl.DataFrame)
    return found


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


def test_skew_empty_partitions_and_one_row(spark: Any) -> None:
    recipe = recipe_of([{"method": "suppress_records", "k": 2}])
    one = mv.run(recipe, to_spark(spark, people(1), 4), seed=1)
    assert back(one.data).height == 0
    same = people(1).select(pl.all().repeat_by(300).explode())
    assert back(mv.run(recipe, to_spark(spark, same, 8), seed=1).data).height == 300


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


MONDRIANS: dict[str, dict[str, Any]] = {
    "plain": {"method": "mondrian", "k": 5},
    "ranges": {"method": "mondrian", "k": 3, "publish": "ranges", "hierarchies": HIERARCHIES},
    "trees": {"method": "mondrian", "k": 4, "hierarchies": HIERARCHIES},
    "reals": {"method": "mondrian", "k": 5, "columns": ["pay", "born", "town"]},
}


@pytest.mark.parametrize(
    "case",
    [pytest.param(name, marks=[] if name == "trees" else [pytest.mark.slow]) for name in MONDRIANS],
)
def test_blocks_cut_by_workers_are_the_partitions_of_one_machine(
    case: str, spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microveil.spark.methods import mondrian

    monkeypatch.setattr(mondrian, "BLOCK", 60)
    recipe = recipe_of([MONDRIANS[case]])
    release: Any = mv.run(recipe, to_spark(spark, people()), seed=3)
    found = back(release.data).sort("name")
    whole = mv.run(recipe, people(), seed=3).data.sort("name")
    keys = MONDRIANS[case].get("columns", ["age", "sex", "town"])
    assert_frame_equal(found.drop(keys), whole.drop(keys))
    assert_frame_equal(found.select(keys), whole.select(pl.col(keys).cast(pl.String)))
    assert release.facts[0].facts["n_blocks"] > 4


def test_files_appear_whole_and_are_checked_again(spark: Any, tmp_path: Path) -> None:
    recipe = recipe_of([{"method": "mondrian", "k": 5}], require=[{"model": "k_anonymity", "k": 5}])
    release: Any = mv.run(recipe, to_spark(spark, people()), seed=3)
    told = release.write(tmp_path / "out")
    assert told.n_rows == 700
    written = pl.read_parquet(tmp_path / "out" / "*.parquet")
    assert written.group_by("age", "sex", "town").len()["len"].min() >= 5  # type: ignore[operator]
    assert written["name"].to_list() != sorted(written["name"].to_list())
    assert {path.name for path in tmp_path.iterdir()} == {"out"}
    with pytest.raises(FileError, match="not empty"):
        release.write(tmp_path / "out")
    broken: Any = mv.run(
        recipe_of([], require=[{"model": "k_anonymity", "k": 5}]), to_spark(spark, people()), seed=3
    )
    with pytest.raises(RequirementNotMetError, match="5-anonymity"):
        broken.write(tmp_path / "no")
    assert not (tmp_path / "no").exists()


@pytest.mark.slow
def test_microaggregation_by_blocks_loses_little_against_the_exact_one(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from microveil.spark.methods import microaggregate

    monkeypatch.setattr(microaggregate, "BLOCK", 150)
    rng = np.random.default_rng(2)
    frame = pl.DataFrame(
        {"id": np.arange(700), "x": rng.normal(size=700), "y": rng.normal(size=700)}
    )
    recipe = mv.Recipe.parse(
        {
            "steps": [{"method": "microaggregate", "columns": ["x", "y"], "k": 3}],
            "keep": ["id", "x", "y"],
        }
    )
    blocks = back(mv.run(recipe, to_spark(spark, frame), seed=1).data).sort("id")
    exact = mv.run(recipe, frame, seed=1).data.sort("id")
    assert blocks.group_by("x", "y").len()["len"].min() >= 3  # type: ignore[operator]
    loss = [
        float(((after.select("x", "y").to_numpy() - frame.select("x", "y").to_numpy()) ** 2).sum())
        for after in (blocks, exact)
    ]
    assert loss[1] <= loss[0] * 1.02
    assert loss[0] < 1.4 * loss[1]


def test_what_is_not_there_says_what_to_use_instead(spark: Any) -> None:
    frame = to_spark(spark, people(50))
    with pytest.raises(NotOnSparkError, match=r"steps\.0\.rank_swap.*additive_noise"):
        mv.run(recipe_of([{"method": "rank_swap", "columns": ["pay"], "range_share": 0.1}]), frame)
    nested = spark.createDataFrame([([1, 2],)], "xs array<int>")
    with pytest.raises(ColumnError, match="'xs' is nested"):
        mv.run(mv.Recipe(), nested)
    with pytest.raises(NotOnSparkError, match="entity"):
        mv.run(recipe_of([], roles={"quasi_identifiers": ["sex"], "entity": "name"}), frame)
    table = SparkTable(frame, mv.Roles(quasi_identifiers=["name"]), most_classes=10)
    with pytest.raises(TooManyClassesError, match="50 combinations"):
        Classes.of(table)


def test_folders_with_unlike_files_are_refused(spark: Any, tmp_path: Path) -> None:
    from microveil.spark.running import read_on_spark

    people(5).write_parquet(tmp_path / "a.parquet")
    people(5).drop("pay").write_parquet(tmp_path / "b.parquet")
    with pytest.raises(FileError, match=r"a different schema from a\.parquet: column 'pay'"):
        read_on_spark(spark, tmp_path)
    with pytest.raises(FileError, match="no such file"):
        read_on_spark(spark, tmp_path / "none")


def test_the_same_decimals_timestamps_and_letters_come_back(spark: Any) -> None:
    frame = people(60)
    release = mv.run(
        recipe_of([{"method": "mask", "columns": ["name"], "keep_start": 1}]),
        to_spark(spark, frame),
        seed=1,
    )
    found = back(release.data).sort("seen", "paid")
    assert_frame_equal(
        found.drop("name"), frame.sort("seen", "paid").drop("name"), check_exact=True
    )
    with pytest.raises(InputError):
        mv.run(recipe_of([{"method": "drop", "columns": ["nobody"]}]), to_spark(spark, frame))
