"""Every method with every role gives on every engine what it gives on one machine."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError, MicroveilError
from microveil.planning import files
from tests.conformance.engines import ROLES, SEVERAL_TABLES, people, recipe

CASES = [(method, roles) for method in mv.METHODS.classes for roles in ROLES]
IN_PARTS = [one for one in CASES if one[0] not in SEVERAL_TABLES]
QUICK = [("local_suppression", "entity"), ("rank_swap", "strata"), ("sample", "household")]
KEYED = ("pseudonymize", "shift_dates")
"""Methods whose key workers read from their own environment, which the session here lacks."""
FRAME = people()


def on_one_machine(method: str, roles: str, seed: int = 3) -> pl.DataFrame | MicroveilError:
    try:
        return mv.run(recipe(method, roles), FRAME, seed=seed).table.frame
    except MicroveilError as error:
        return error


def alike(method: str, roles: str, found: pl.DataFrame) -> None:
    """Equal rows if nothing is left to chance; otherwise the same columns, and as many rows."""
    local = on_one_machine(method, roles)
    other = on_one_machine(method, roles, seed=4)
    assert isinstance(local, pl.DataFrame)
    assert isinstance(other, pl.DataFrame)
    assert set(found.columns) == set(local.columns)
    found = found.select(local.columns)
    if local.equals(other) and method not in ("microaggregate", "local_recoding"):
        by = local.columns
        assert found.sort(by).equals(local.cast(found.schema).sort(by))
    elif roles in ("household", "entity") and local.height != FRAME.height:
        assert 0.5 < found.height / local.height < 2  # whole people or homes are drawn
    else:
        assert found.height == local.height


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
@pytest.mark.parametrize(("method", "roles"), IN_PARTS)
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


@pytest.mark.parametrize("method", SEVERAL_TABLES)
def test_what_makes_several_tables_says_so(method: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="further tables"):
        in_parts(method, "plain", tmp_path)
