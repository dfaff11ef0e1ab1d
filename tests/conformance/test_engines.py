"""Every method with every role gives on every engine what it gives on one machine."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.arrays import Floats
from microveil.errors import InputError, MicroveilError
from microveil.planning import files
from tests.conformance.engines import ROLES, people, recipe

CASES = [(method, roles) for method in mv.METHODS.classes for roles in ROLES]
QUICK = [
    ("local_suppression", "entity"),
    ("rank_swap", "strata"),
    ("sample", "household"),
    ("decompose", "plain"),
    ("synthesize", "weight"),
]
SEEDS = range(4, 12)
"""Runs on one machine that show how far chance reaches."""
KEYED = ("pseudonymize", "shift_dates")
"""Methods whose key workers read from their own environment, which the session here lacks."""
FRAME = people()


@cache
def on_one_machine(method: str, roles: str, seed: int = 3) -> pl.DataFrame | MicroveilError:
    try:
        return mv.run(recipe(method, roles), FRAME, seed=seed).table.frame
    except MicroveilError as error:
        return error


def alike(method: str, roles: str, found: pl.DataFrame) -> None:
    """Equal rows if nothing is left to chance; otherwise rows of the same distribution."""
    local = on_one_machine(method, roles)
    others = [on_one_machine(method, roles, seed) for seed in SEEDS]
    assert isinstance(local, pl.DataFrame)
    assert set(found.columns) == set(local.columns)
    found = found.select(local.columns)
    drawn = [other for other in others if isinstance(other, pl.DataFrame)]
    by_chance = not all(local.equals(other) for other in drawn)
    if not by_chance and method not in ("microaggregate", "local_recoding"):
        by = local.columns
        assert found.sort(by).equals(local.cast(found.schema).sort(by))
        return
    if roles in ("household", "entity") and local.height != FRAME.height:
        assert 0.5 < found.height / local.height < 2  # whole people or homes are drawn
    else:
        assert found.height == local.height
    for name in local.columns:
        check_distribution(found[name], [other[name] for other in (local, *drawn)])


def check_distribution(found: pl.Series, others: list[pl.Series]) -> None:
    """What a column comes to is as near to that of other draws as these are to one another."""
    told = np.array([summary(other) for other in others])
    spread = 6 * told.std(axis=0) + 0.15 * np.abs(told).mean(axis=0) + 0.05
    assert (np.abs(summary(found) - told.mean(axis=0)) <= spread).all(), found.name


def summary(column: pl.Series) -> Floats:
    """Mean and spread of numbers; otherwise the share that is missing, and of the most common."""
    missing = column.null_count() / max(len(column), 1)
    if column.dtype.is_numeric():
        numbers = column.drop_nulls().to_numpy().astype(float)
        return np.array([missing, numbers.mean(), numbers.std()]) if len(numbers) else np.zeros(3)
    counts = column.drop_nulls().value_counts()["count"]
    common = int(counts.max() or 0) if len(counts) else 0  # type: ignore[arg-type]
    return np.array([missing, common / max(len(column), 1), 0.0])


def in_parts(method: str, roles: str, folder: Path) -> pl.DataFrame:
    FRAME.write_parquet(folder / "people.parquet")
    out = folder / "out.parquet"
    asked = recipe(method, roles)
    mv.run_file(asked, folder / "people.parquet", out, in_parts=True, seed=3, keep_order=True)
    return pl.read_parquet(out)


def check_in_parts(method: str, roles: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 50)
    local = on_one_machine(method, roles)
    if isinstance(local, MicroveilError):
        with pytest.raises(type(local)):
            in_parts(method, roles, folder)
        return
    alike(method, roles, in_parts(method, roles, folder))


@pytest.mark.parametrize(("method", "roles"), QUICK)
def test_some_methods_in_parts(
    method: str, roles: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_in_parts(method, roles, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "roles"), CASES)
def test_every_method_in_parts(
    method: str, roles: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_in_parts(method, roles, tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def there() -> Iterator[Any]:
    """The table on Spark, in two partitions."""
    from microveil.spark.session import check_installed, check_java, spark_session
    from tests.spark.cases import to_spark

    try:
        check_installed()
        check_java()
    except InputError as error:
        pytest.skip(str(error))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark speaks of pandas, which is not used here
        session = spark_session("local[2]", **{"spark.sql.shuffle.partitions": "2"})
        yield to_spark(session, FRAME, 2).localCheckpoint()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("method", "roles"), [one for one in CASES if one[0] not in KEYED])
def test_every_method_on_spark(method: str, roles: str, there: Any) -> None:
    from tests.spark.cases import back

    local = on_one_machine(method, roles)
    if isinstance(local, MicroveilError):
        with pytest.raises(type(local)):
            mv.run(recipe(method, roles), there, seed=3)
        return
    alike(method, roles, back(mv.run(recipe(method, roles), there, seed=3).data))


def test_tables_of_a_split_join_to_the_rows_that_were_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PART", 50)
    FRAME.write_parquet(tmp_path / "people.parquet")
    groups = {"people": ["sex", "age"], "numbers": ["x", "weight"], "days": ["day"]}
    asked = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["sex", "age"]),
        steps=[mv.Decompose(groups=groups)],
        undeclared="keep",
    )
    out = tmp_path / "out.parquet"
    mv.run_file(asked, tmp_path / "people.parquet", out, in_parts=True, seed=3)
    joined = pl.read_parquet(out)
    for name in ("numbers", "days"):
        joined = joined.join(pl.read_parquet(tmp_path / f"out.{name}.parquet"), on="link_id")
    there = ["sex", "age", "x", "weight", "day"]
    assert joined.select(there).sort(there).equals(FRAME.select(there).sort(there))
