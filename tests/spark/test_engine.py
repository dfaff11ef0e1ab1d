"""The engine plans on the driver and leaves the rows where they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.app import run_spark_file
from microveil.errors import InputError, NotOnSparkError
from microveil.planning.methods.sample import SamplePlan
from microveil.planning.plan import RowByRow
from microveil.spark import engine as engines
from microveil.spark.engine import SparkEngine
from tests.planning.test_parts_equal_whole import people, recipe_of

pytestmark = pytest.mark.filterwarnings("ignore")  # PySpark's own


@pytest.mark.usefixtures("spark")
def test_too_many_classes_for_the_driver_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "MOST_CLASSES", 20)
    source = tmp_path / "people"
    source.mkdir()
    people().write_parquet(source / "a.parquet")
    people(300, seed=2).write_parquet(source / "b.parquet")
    n_classes = pl.concat([people(), people(300, seed=2)]).select("age", "sex", "town").n_unique()
    recipe = recipe_of([{"method": "suppress_records", "k": 3}])
    with pytest.raises(InputError, match=f"{n_classes:,} combinations of 'age', 'sex', 'town'"):
        run_spark_file(recipe, source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def engine_of(memory_limit: int = 2**30) -> SparkEngine:
    frame: Any = None
    return SparkEngine(frame, mv.Roles(), 987654, memory_limit)


def test_rows_never_come_to_the_driver() -> None:
    engine = engine_of()
    assert not engine.holds_rows
    engine.scratch()
    for ask in (lambda: engine.tables(()), lambda: engine.gather((), ["x"])):
        with pytest.raises(NotOnSparkError, match="--engine local"):
            ask()
    assert "987654" not in repr(engine)


def test_memory_of_the_driver_has_a_limit() -> None:
    engine = engine_of(2**30)
    engine.may_hold(2**30, "counts")
    with pytest.raises(InputError, match=r"Counts would take about 1\.5 GiB.*1\.0 GiB may"):
        engine.may_hold(1.5 * 2**30, "counts")


def sample_plan() -> SamplePlan:
    sizes = np.array([6, 2])
    keys = pl.DataFrame({"sex": ["f", "m"]})
    return SamplePlan(mv.Sample(share=0.5), 1, ("sex",), keys, sizes, sizes // 2, 0.5)


def test_plans_whose_order_matters_are_tallied_once(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []

    def folded(_: object, work: Any, tally: Any) -> list[Any]:
        seen.append(work)
        parts: tuple[list[str], ...] = (["f", "f", "m"], [], ["f", "f", "f", "f", "m"])
        tables = [
            mv.Table(pl.DataFrame({"sex": part}, schema={"sex": pl.String})) for part in parts
        ]
        return [tally(table) if table.height else np.zeros(0) for table in tables]

    monkeypatch.setattr(engines, "fold_partitions", folded)
    engine = engine_of()
    plans = (RowByRow(mv.Drop(columns=["name"]), 0, ("name",)), sample_plan())
    work = engine.work(plans)
    assert list(work.starts) == [1]
    there, drawn = np.stack(work.starts[1]).transpose(1, 0, 2)
    assert there.tolist() == [[2, 1], [0, 0], [4, 1]]
    assert drawn.sum(axis=0).tolist() == [3, 1]
    assert (drawn <= there).all()
    # Only the plans before it are taken into account, and nothing is counted a second time.
    assert engine.work(plans).starts[1] is work.starts[1]
    assert [one.plans for one in seen] == [plans[:1]]


def test_too_many_tallies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "fold_partitions", lambda *_: [np.ones(2)] * 3)
    monkeypatch.setattr(engines, "MOST_TALLIES", 5)
    with pytest.raises(InputError, match="2 classes in 3 partitions"):
        engine_of().work((sample_plan(),))
