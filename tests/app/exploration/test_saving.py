from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app.exploration import use_case
from microveil.app.exploration.saving import fingerprint
from microveil.tables import Table
from tests.app.exploration.cases import (
    FRAME,
    K_GRID,
    KEYS,
    NOISE,
    SECRET,
    SUPPRESS,
    Explode,
    numbers,
)


def count_runs(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    done: list[object] = []

    def counted(*given: Any, **more: Any) -> Any:
        done.append(given)
        return mv.run(*given, **more)

    monkeypatch.setattr(use_case, "run", counted)
    return done


@pytest.mark.parametrize(("seed", "n_again"), [(7, 1), (None, 0)])
def test_finished_points_are_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int | None, n_again: int
) -> None:
    grid = {"steps.0.sd_share": [0.1, 0.2]}
    wanted: dict[str, Any] = {"utility": "il1s", "seed": seed, "resume": tmp_path}
    first = mv.explore(FRAME, NOISE, grid, **wanted)
    done = count_runs(monkeypatch)

    again = mv.explore(FRAME, NOISE, grid, **wanted)

    assert numbers(first).equals(numbers(again))
    # With a seed, one point is made again to see whether the seed is the same.
    assert len(done) == n_again


def test_a_larger_grid_only_adds_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mv.explore(FRAME, SUPPRESS, {"steps.1.k": [2, 5]}, resume=tmp_path)
    done = count_runs(monkeypatch)

    found = mv.explore(FRAME, SUPPRESS, {"steps.1.k": [2, 3, 5]}, resume=tmp_path)

    assert len(done) == 1
    assert [point.number for point in found.points] == [0, 1, 2]


@pytest.mark.parametrize("change", ["seed", "data", "order", "measure"])
def test_nothing_stale_is_taken_from_the_folder(tmp_path: Path, change: str) -> None:
    grid = {"steps.0.sd_share": [0.1, 0.2]}
    mv.explore(FRAME, NOISE, grid, utility="il1s", seed=7, resume=tmp_path)
    frame = FRAME
    if change == "data":
        frame = FRAME.with_columns(pay=pl.col("pay") + 1)
    if change == "order":
        frame = FRAME.reverse()
    wanted: dict[str, Any] = {
        "utility": "il1s:columns=[pay]" if change == "measure" else "il1s",
        "seed": 8 if change == "seed" else 7,
    }

    found = mv.explore(frame, NOISE, grid, **wanted, resume=tmp_path)

    assert numbers(found).equals(numbers(mv.explore(frame, NOISE, grid, **wanted)))


def test_the_folder_holds_no_cell_and_no_seed(tmp_path: Path) -> None:
    frame = FRAME.with_columns(sex=pl.lit(SECRET))
    seed = 918_273_645
    mv.explore(frame, SUPPRESS, K_GRID, seed=seed, resume=tmp_path)

    text = "".join(path.name + path.read_text("utf-8") for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 3
    assert SECRET not in text
    assert str(seed) not in text
    assert f"{seed:x}" not in text


def test_a_broken_file_in_the_folder_is_made_again(tmp_path: Path) -> None:
    first = mv.explore(FRAME, SUPPRESS, K_GRID, resume=tmp_path)
    for path in tmp_path.iterdir():
        path.write_text('{"format": 1', "utf-8")

    assert numbers(mv.explore(FRAME, SUPPRESS, K_GRID, resume=tmp_path)).equals(numbers(first))


def test_an_unexpected_failure_is_tried_again(tmp_path: Path) -> None:
    mv.explore(FRAME, mv.Recipe(roles=KEYS, steps=[Explode()]), risk="class_sizes", resume=tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_an_interruption_keeps_what_is_done_and_what_is_under_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = threading.Event()

    def slow(recipe: mv.Recipe, data: Any, **more: Any) -> Any:
        started.set()
        time.sleep(0.2)
        return mv.run(recipe, data, **more)

    def stop(done: float, total: float, what: str) -> None:  # noqa: ARG001  Progress's names
        if done:
            raise KeyboardInterrupt

    monkeypatch.setattr(use_case, "run", slow)
    grid = {"steps.1.k": list(range(2, 40))}
    with pytest.raises(KeyboardInterrupt):
        mv.explore(
            FRAME, SUPPRESS, grid, risk="class_sizes", workers=2, resume=tmp_path, progress=stop
        )

    assert started.is_set()
    assert 1 <= len(list(tmp_path.iterdir())) < 10


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")

    with pytest.raises(mv.FileError, match="no folder"):
        mv.explore(FRAME, SUPPRESS, K_GRID, resume=tmp_path / "file" / "folder")


def test_the_fingerprint_sees_cells_and_order_but_is_too_short_to_tell_them() -> None:
    table = Table(FRAME)

    assert fingerprint(table) == fingerprint(Table(FRAME.clone()))
    assert 0 <= fingerprint(table) < 2**16
    others = {fingerprint(Table(FRAME.with_columns(pay=pl.col("pay") + i))) for i in range(20)}
    assert len(others) > 15
    assert fingerprint(Table(FRAME.reverse())) != fingerprint(table)
    assert fingerprint(Table({"a": [[1], [2]]})) != fingerprint(Table({"a": [[1], [3]]}))
