from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import microveil as mv
from microveil.app.exploration import use_case
from microveil.app.exploration.saving import fingerprint
from microveil.app.exploration.workers import usable_workers
from microveil.errors import ColumnError, InputError
from microveil.methods import Method, Outcome
from microveil.tables import Table

KEYS = mv.Roles(quasi_identifiers=["age", "sex"], insensitive=["pay"])
SUPPRESS = mv.Recipe(
    roles=KEYS,
    steps=[mv.Round(columns=["age"], base=2), mv.SuppressRecords(k=2)],
    require=[mv.KAnonymity(k=2)],
)
NOISE = mv.Recipe(roles=KEYS, steps=[mv.AdditiveNoise(columns=["pay"], sd_share=0.1)])
K_GRID = {"steps.1.k+require.0.k": [2, 5, 10]}
SECRET = "Rarissima"


def people(n_records: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, n_records),
            "sex": rng.choice(["f", "m"], n_records),
            "pay": rng.lognormal(3, 1, n_records),
        }
    )


FRAME = people()


def numbers(found: mv.Exploration) -> pl.DataFrame:
    """All of the table but the time it took."""
    return found.frame.drop("seconds")


class Explode(Method):
    """Fail in a way nobody expects."""

    method: Literal["explode"] = "explode"

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  it fails first
        raise ValueError(SECRET)


def test_each_point_scores_what_its_release_scores() -> None:
    found = mv.explore(FRAME, SUPPRESS, K_GRID, seed=1, risk="class_sizes", utility="cell_changes")

    for point, k in zip(found.points, (2, 5, 10), strict=True):
        recipe = SUPPRESS.with_values({"steps.1.k": k, "require.0.k": k})
        release = mv.run(recipe, FRAME)
        assert point.holds
        assert point.value("class_sizes") == 1 / release.risk.k
        assert point.value("cell_changes") == release.utility["cell_changes"].value
    assert found.frame["steps.1.k+require.0.k"].to_list() == [2, 5, 10]
    assert found.original["class_sizes"].value == 1.0
    assert found.original["cell_changes"].value == 0.0


@pytest.mark.parametrize("workers", [2, 5])
def test_the_number_of_workers_changes_nothing(workers: int) -> None:
    grid = {"steps.0.sd_share": [0.05, 0.1, 0.2, 0.4, 0.8]}
    wanted: dict[str, Any] = {"risk": "class_sizes", "utility": ["il1s", "cell_changes"]}

    alone = mv.explore(FRAME, NOISE, grid, seed=7, workers=1, **wanted)
    together = mv.explore(FRAME, NOISE, grid, seed=7, workers=workers, **wanted)

    assert numbers(alone).equals(numbers(together))


def test_a_point_is_the_same_in_every_grid_and_differs_with_the_seed() -> None:
    def loss(values: list[float], seed: int) -> float | None:
        found = mv.explore(FRAME, NOISE, {"steps.0.sd_share": values}, seed=seed, utility="il1s")
        return found.points[values.index(0.2)].value("il1s")

    assert loss([0.2], 7) == loss([0.1, 0.2, 0.3], 7)
    assert loss([0.2], 7) != loss([0.2], 8)


def test_a_release_is_made_again_exactly_and_as_the_same_kind_of_frame() -> None:
    grid = {"steps.0.sd_share": [0.1, 0.2]}
    found = mv.explore(FRAME.to_pandas(), NOISE, grid, seed=7, utility="il1s")

    release = found.release(1)

    assert isinstance(release.data, pd.DataFrame)
    assert release.utility["il1s"].value == found.points[1].value("il1s")
    assert found.release(found.points[1]).table.frame.equals(release.table.frame)
    with pytest.raises(InputError, match="from 0 to 1"):
        found.release(2)


def test_unseeded_releases_are_those_that_were_measured() -> None:
    found = mv.explore(FRAME, NOISE, {"steps.0.sd_share": [0.1]}, utility="il1s")

    assert found.release(0).utility["il1s"].value == found.points[0].value("il1s")


def test_failing_points_stay_with_their_sentence() -> None:
    recipe = SUPPRESS.with_values({"steps.1.max_share": 0.2})
    found = mv.explore(FRAME, recipe, {"steps.1.k": [2, 1, 250]}, risk="class_sizes")

    holds, invalid, too_much = found.points
    assert holds.problem is None
    assert "greater than or equal to 2" in str(invalid.problem)
    assert "more than max_share allows" in str(too_much.problem)
    assert found.frame["holds"].to_list() == [True, None, None]
    assert [point.number for point in found.front] == [0]
    with pytest.raises(InputError, match="greater than or equal"):
        found.release(1)


def test_a_release_without_records_is_no_choice() -> None:
    found = mv.explore(FRAME, SUPPRESS, {"steps.1.k": [2, 299]}, risk="class_sizes")

    assert found.points[1].problem == "No record is left in the release."
    assert [point.number for point in found.front] == [0]


def test_a_broken_promise_keeps_a_point_off_the_front() -> None:
    found = mv.explore(FRAME, SUPPRESS, {"steps.1.k": [2, 5], "require.0.k": [5]})

    assert [point.holds for point in found.points] == [False, True]
    assert found.frame["pareto"].to_list() == [False, True]


def test_an_unexpected_failure_costs_one_point_and_tells_no_cell() -> None:
    bad = mv.Recipe(roles=KEYS, steps=[Explode()])
    found = mv.explore(FRAME, SUPPRESS, None, alternatives={"bad": (bad, {})}, risk="class_sizes")

    assert [point.problem for point in found.points] == [None, "Unexpected ValueError."]
    assert SECRET not in json.dumps(found.to_dict())


def test_a_measure_that_does_not_apply_leaves_the_others() -> None:
    found = mv.explore(
        FRAME, SUPPRESS, None, risk="class_sizes", utility=["cell_changes", "il1s:columns=[sex]"]
    )

    (point,) = found.points
    assert point.value("cell_changes") is not None
    assert point.value('il1s:columns=["sex"]') is None
    assert "does not hold numbers" in str(point.problem)
    assert [one.number for one in found.front] == [0]


def test_blanks_are_read_as_the_recipe_reads_them() -> None:
    frame = pl.DataFrame({"age": [1, None, 1], "sex": ["f", "f", "f"], "pay": [1.0, 2.0, 3.0]})
    recipe = mv.Recipe(roles=KEYS, missing="wildcard")

    def highest(risk: str) -> float | None:
        found = mv.explore(frame, recipe, risk=risk, utility="cell_changes")
        return found.points[0].value(risk)

    assert highest("class_sizes") == pytest.approx(1 / 3)
    assert highest("class_sizes:missing=category") is not None


def test_an_asked_reading_of_blanks_wins() -> None:
    frame = pl.DataFrame({"age": [1, None, 1], "sex": ["f", "f", "f"], "pay": [1.0, 2.0, 3.0]})
    recipe = mv.Recipe(roles=KEYS, missing="wildcard")
    found = mv.explore(
        frame, recipe, risk=mv.ClassSizes(missing="category"), utility="cell_changes"
    )

    assert next(iter(found.points[0].readings.values())).value == 1.0


def test_an_empty_table_and_one_row_can_be_explored() -> None:
    for n_records in (0, 1):
        found = mv.explore(
            FRAME.head(n_records), SUPPRESS, K_GRID, risk="class_sizes", utility="cell_changes"
        )
        assert len(found) == 3
        problems = {point.problem for point in found.points}
        assert problems == ({"No record is left in the release."} if n_records else {None})


def test_a_role_without_a_column_is_the_callers_mistake() -> None:
    with pytest.raises(ColumnError, match="roles: "):
        mv.explore(FRAME.drop("sex"), SUPPRESS, K_GRID)


def test_risk_needs_keys() -> None:
    if "record_linkage" in mv.RISK_MEASURES:
        pytest.skip("record linkage needs no keys")
    with pytest.raises(InputError, match="quasi-identifiers"):
        mv.explore(FRAME, mv.Recipe())


def test_progress_ends_with_all_points() -> None:
    told: list[tuple[float, float]] = []
    mv.explore(FRAME, SUPPRESS, K_GRID, progress=lambda done, total, _: told.append((done, total)))

    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)


# Taking an exploration up again


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


def test_workers_are_at_least_one() -> None:
    assert usable_workers(None, 1) == 1
    assert usable_workers(64, 3) in {1, 3}
    with pytest.raises(InputError, match="one or larger"):
        usable_workers(0, 3)


def test_the_result_is_plain_data() -> None:
    grid: list[dict[str, Any]] = [{"steps.0.base": 5}, {"steps.0.columns": ["age"]}]
    found = mv.explore(FRAME, SUPPRESS, grid, risk="class_sizes")

    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["pareto"]
    assert found.frame["steps.0.columns"].to_list() == [None, '["age"]']
    assert "2 points" in repr(found)
    assert "<table" in found._repr_html_()
