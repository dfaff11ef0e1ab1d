"""A table that is split on Spark is the one that one machine splits, but for its random links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import ColumnError, InputError, RequirementNotMetError
from microveil.spark import run_on_spark, writing
from tests.spark.cases import back, to_spark

GROUPS = {"people": ["age", "sex"], "pay": ["pay"], "illnesses": ["ill"]}
ANATOMY = {"people": ["age", "sex"], "illnesses": ["ill"]}
FRAME = pl.DataFrame(
    {
        "age": [i % 5 for i in range(60)],
        "sex": ["f", "m"] * 30,
        "ill": [None if i % 4 == 0 else f"ill {i % 4}" for i in range(60)],
        "pay": list(range(60)),
        "name": [f"n{i}" for i in range(60)],
    }
)
ROLES = mv.Roles(quasi_identifiers=["age", "sex"], sensitive=["ill"], insensitive=["pay"])


def _recipe(step: mv.Method, **more: Any) -> mv.Recipe:
    # Listed first, and done last: what other steps drop is dropped from every table.
    return mv.Recipe(roles=ROLES, steps=[step, mv.Drop(columns=["name"])], **more)


@pytest.mark.filterwarnings("ignore")
def test_tables_joined_by_record_are_the_table(spark: Any, tmp_path: Path) -> None:
    recipe = _recipe(mv.Decompose(groups=GROUPS), require=[mv.KAnonymity(k=6)])
    release = run_on_spark(recipe, to_spark(spark, FRAME), seed=1)
    written = release.write_all(tmp_path / "out")
    assert [Path(one.path).name for one in written] == ["out", "out.pay", "out.illnesses"]
    main, pay, ill = (pl.read_parquet(f"{one.path}/*.parquet") for one in written)
    assert sorted(main["link_id"]) == list(range(1, 61))
    assert pay["link_id"].is_sorted()
    assert not pay["pay"].is_sorted()
    joined = main.join(pay, on="link_id").join(ill, on="link_id").drop("link_id").sort("pay")
    assert joined.select("age", "sex", "pay", "ill").equals(
        FRAME.select("age", "sex", "pay", "ill").with_columns(pl.col("age").cast(pl.Int64))
    )
    local = mv.run(recipe, FRAME, seed=1)
    assert [one.sentence() for one in release.checks] == [one.sentence() for one in local.checks]
    assert dict(release.facts[0].facts) == dict(local.facts[0].facts)


@pytest.mark.filterwarnings("ignore")
def test_groups_hold_different_values_and_are_checked_as_one_machine_does(spark: Any) -> None:
    step = mv.Decompose(groups=ANATOMY, l=3)
    recipe = _recipe(step, require=[mv.LDiversity(l=3)], undeclared="drop")
    release = run_on_spark(recipe, to_spark(spark, FRAME), seed=1)
    local = mv.run(recipe, FRAME, seed=1)
    assert [one.holds for one in release.checks] == [one.holds for one in local.checks] == [True]
    main, ill = back(release.data), back(release.parts["illnesses"])
    assert ill.columns == local.parts["illnesses"].columns
    assert ill.equals(ill.sort("link_id", "ill"))
    assert (
        ill.group_by("link_id")
        .agg(pl.len(), n=pl.col("ill").n_unique())
        .filter((pl.col("len") < 3) | (pl.col("n") < pl.col("len")))
        .is_empty()
    )
    assert (
        main.group_by("link_id")
        .len()
        .sort("link_id")
        .equals(ill.group_by("link_id").len().sort("link_id"))
    )


@pytest.mark.filterwarnings("ignore")
def test_a_broken_requirement_releases_no_table(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = to_spark(spark, FRAME)
    broken = _recipe(mv.Decompose(groups=GROUPS), require=[mv.KAnonymity(k=7)])
    release = run_on_spark(broken, frame, seed=1)
    with pytest.raises(RequirementNotMetError):
        _ = release.parts
    with pytest.raises(RequirementNotMetError):
        release.write(tmp_path / "out")
    good = run_on_spark(_recipe(mv.Decompose(groups=GROUPS)), frame, seed=1)
    place = writing.place_folders

    def stopped(staged: Any, targets: Any) -> None:
        staged[1].rename(tmp_path / "lost")
        place(staged, targets)

    monkeypatch.setattr(writing, "place_folders", stopped)
    with pytest.raises(FileNotFoundError):
        good.write(tmp_path / "out")
    assert [one.name for one in tmp_path.iterdir()] == ["lost"]


@pytest.mark.filterwarnings("ignore")
def test_what_cannot_be_split_is_refused(spark: Any) -> None:
    frame = to_spark(spark, FRAME)
    with pytest.raises(ColumnError, match=r"steps\.0\.decompose.*already have a column 'pay'"):
        run_on_spark(_recipe(mv.Decompose(groups=ANATOMY, link="pay")), frame)
    with pytest.raises(InputError, match=r"steps\.0\.decompose.*l can be at most 4"):
        run_on_spark(_recipe(mv.Decompose(groups=ANATOMY, l=5)), frame)
    twice = mv.Recipe(roles=ROLES, steps=[mv.Decompose(groups=ANATOMY)] * 2)
    with pytest.raises(InputError, match="split once"):
        run_on_spark(twice, frame)
