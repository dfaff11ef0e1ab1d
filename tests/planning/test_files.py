"""Rows of a file come part by part, and are counted without being kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.planning import files
from microveil.planning.counting import bytes_per_class
from microveil.planning.course import TooManyClassesError
from microveil.planning.files import protect_part
from microveil.planning.plan import RowByRow
from tests.planning.cases import engine_of

FRAME = pl.DataFrame({"age": [31, 34, None, 34, 52], "w": [1.0, 2.0, 3.0, 4.0, None]})
TENS = RowByRow(mv.Round(columns=["age"], base=10), 0, ("age",))


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PART", 2)


def test_parts_are_numbered_and_a_table_without_rows_is_one_part(tmp_path: Path) -> None:
    told: list[tuple[float, float, str]] = []
    engine = engine_of(FRAME, tmp_path, progress=lambda *one: told.append(one))
    assert [(n, part.height) for n, part in engine.parts()] == [(0, 2), (1, 2), (2, 1)]
    assert told == [(0, 5, "rows"), (2, 5, "rows"), (4, 5, "rows")]
    empty = engine_of(FRAME.clear(), tmp_path)
    assert [(n, part.shape) for n, part in empty.parts()] == [(0, (0, 2))]
    assert (engine.holds_rows, engine_of(FRAME, tmp_path).n_rows()) == (True, 5)


def test_counts_of_parts_add_up_to_those_of_the_file(tmp_path: Path) -> None:
    engine = engine_of(FRAME, tmp_path)
    one, two = engine.count_distinct(["age"], "w"), engine.count_after((), ["age"], "w")
    assert one.keys.equals(two.keys)
    assert one.counts.tolist() == two.counts.tolist() == [1, 1, 2, 1]
    assert one.weights is not None
    assert two.weights is not None
    assert one.weights.tolist() == two.weights.tolist() == [3.0, 1.0, 6.0, 0.0]
    after = engine.count_after((TENS,), ["age"])
    assert (after.keys["age"].to_list(), after.counts.tolist()) == ([None, 30, 50], [1, 3, 1])


def test_replaying_keeps_to_the_number_of_classes_too(tmp_path: Path) -> None:
    limit = 2 * 2 * bytes_per_class(FRAME, ["age"])
    engine = engine_of(FRAME, tmp_path, memory_limit=int(limit))
    with pytest.raises(TooManyClassesError, match="combinations of 'age'"):
        engine.count_after((), ["age"])


def test_columns_are_gathered_within_the_memory_that_may_be_used(tmp_path: Path) -> None:
    engine = engine_of(FRAME, tmp_path)
    assert engine.gather((), ["age"]).equals(FRAME.select("age"))
    assert engine.gather((TENS,), ["age"])["age"].to_list() == [30, 30, None, 30, 50]
    with pytest.raises(InputError, match="2 columns of all rows would take"):
        engine_of(FRAME, tmp_path, memory_limit=100).gather((), ["age", "w"])


def test_parts_are_folded_and_scratch_has_a_folder(tmp_path: Path) -> None:
    engine = engine_of(FRAME, tmp_path)
    assert engine.fold(
        (TENS,), lambda part: np.array([part.height, part.frame["age"].sum()])
    ).tolist() == [5, 140]
    assert engine.scratch() == (tmp_path, 2**28)
    assert replace(engine, folder=None).scratch() is None
    assert "seed" not in repr(engine)


def test_chance_is_that_of_the_number_of_the_part() -> None:
    step = mv.Pram(columns=["x"], retention=0.5)
    plan = RowByRow(step, 0, ("x",), by_chance=True)
    part = mv.Table(pl.DataFrame({"x": list("abcd") * 25}))

    def drawn(seed: int, number: int) -> list[str]:
        return protect_part((plan,), (None,), part, seed, number)[0].frame["x"].to_list()

    assert drawn(1, 0) == drawn(1, 0)
    assert len({tuple(drawn(1, 0)), tuple(drawn(1, 1)), tuple(drawn(2, 0))}) == 3
