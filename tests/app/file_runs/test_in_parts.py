"""A run in parts promises what a whole run promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.app.file_runs.in_parts import goes_in_parts
from microveil.files import write
from tests.app.file_runs.cases import job_of

FORMATS = ["csv", "parquet", "jsonl", "csv.gz"]


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("microveil.planning.files.PART", 2)


def _run(frame: pl.DataFrame, recipe: mv.Recipe, folder: Path, suffix: str) -> mv.FileRun:
    write(frame, folder / "in.parquet", keep_order=True)
    return mv.run_file(recipe, folder / "in.parquet", folder / f"out.{suffix}", in_parts=True)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("key", ["@zip", "=zip", "zip"])
def test_a_key_is_checked_whatever_its_name_becomes(key: str, suffix: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({key: ["a", "b", "c", "d"]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=[key]), require=[mv.KAnonymity(k=4)])
    done = _run(frame, recipe, tmp_path, suffix)
    assert not done.holds
    assert done.checks[0].achieved == 1
    assert done.outline[1].k == 1
    assert not (tmp_path / f"out.{suffix}").exists()
    assert [item.name for item in tmp_path.iterdir()] == ["in.parquet"]


@pytest.mark.parametrize("suffix", FORMATS)
def test_keys_that_look_alike_are_told_apart(suffix: str, tmp_path: Path) -> None:
    frame = pl.DataFrame({"nace": ["10.1", "10.10", "20.2", "20.20"]})
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["nace"]), require=[mv.KAnonymity(k=2)])
    done = _run(frame, recipe, tmp_path, suffix)
    assert not done.holds
    assert done.checks[0].achieved == 1


@pytest.mark.parametrize("suffix", FORMATS)
def test_categories_keep_their_order_in_the_check(suffix: str, tmp_path: Path) -> None:
    levels = pl.Enum(["low", "middle", "high"])
    cells = ["low", "high", "middle", "middle"]
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "level": pl.Series(cells, dtype=levels)})
    recipe = mv.Recipe(
        roles=mv.Roles(quasi_identifiers=["sex"], sensitive=["level"]),
        require=[mv.TCloseness(t=0.5, column="level", distance="ordered")],
    )
    whole = mv.run(recipe, frame)
    done = _run(frame, recipe, tmp_path, suffix)
    assert done.checks[0].achieved == pytest.approx(whole.checks[0].achieved)
    assert done.holds
    assert mv.read(tmp_path / f"out.{suffix}").height == 4


def test_people_are_counted_or_the_run_is_refused(tmp_path: Path) -> None:
    frame = pl.DataFrame({"person": [1, 1, 1, 2], "sex": ["f"] * 4})
    roles = mv.Roles(quasi_identifiers=["sex"], entity="person")

    def recipe(*steps: mv.Method, **more: object) -> mv.Recipe:
        raw = {"roles": roles, "steps": steps, "require": [mv.KAnonymity(k=2)], **more}
        return mv.Recipe.model_validate(raw)

    for allowed in (recipe(keep="person"), recipe(mv.Pseudonymize(columns=["person"]))):
        assert _run(frame, allowed, tmp_path, "csv").checks[0].achieved == 2
    for hidden in (
        recipe(mv.Drop(columns=["person"])),
        recipe(mv.Mask(columns=["person"], pattern="X")),
        recipe(undeclared="drop"),
    ):
        with pytest.raises(mv.InputError, match="does not distinguish them"):
            _run(frame, hidden, tmp_path, "csv")
    free = recipe(mv.Drop(columns=["person"])).with_values({"require": []})
    assert _run(frame, free, tmp_path, "csv").holds


def test_export_rules_are_the_same_in_parts(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f", "f"], "note": ["a", "b"], "home": [1, 2]})
    roles = mv.Roles(quasi_identifiers=["sex"], household="home")
    with pytest.raises(mv.InputError, match="'home' shows which rows"):
        _run(frame, mv.Recipe(roles=roles), tmp_path, "csv")
    with pytest.raises(mv.InputError, match="Column 'note' is undeclared"):
        _run(frame, mv.Recipe(roles=roles, keep=["home"]), tmp_path, "csv")
    _run(frame, mv.Recipe(roles=roles, undeclared="drop"), tmp_path, "csv")
    assert mv.read(tmp_path / "out.csv").columns == ["sex"]


def test_a_table_without_records_is_written(tmp_path: Path) -> None:
    frame = pl.DataFrame(schema={"sex": pl.String, "n": pl.Int64})
    roles = mv.Roles(quasi_identifiers=["sex"], insensitive=["n"])
    done = _run(frame, mv.Recipe(roles=roles), tmp_path, "parquet")
    assert done.n_records == 0
    assert mv.read(tmp_path / "out.parquet").columns == ["sex", "n"]


def test_a_source_is_not_overwritten_in_parts_either(tmp_path: Path) -> None:
    write(pl.DataFrame({"sex": ["f", "f"]}), tmp_path / "in.parquet")
    with pytest.raises(mv.FileError, match="an input is never overwritten"):
        mv.run_file(
            mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"])),
            tmp_path / "in.parquet",
            tmp_path / "in.parquet",
            in_parts=True,
        )


def test_only_what_is_shown_is_worked_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("microveil.app.file_runs.in_parts.strictest_parameters", asked)
    write(pl.DataFrame({"sex": ["f", "f"]}), tmp_path / "in.parquet")
    recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]))
    done = mv.run_file(
        recipe, tmp_path / "in.parquet", tmp_path / "out.csv", in_parts=True, details=False
    )
    assert done.outline[1].k == 2


def test_a_table_that_does_not_fit_as_a_whole_goes_in_parts_or_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(pl.DataFrame({"sex": ["f", "f"], "age": [1, 2]}), tmp_path / "in.parquet")
    swap = mv.RankSwap(columns=["age"], range_share=0.5)
    copies = mv.Synthesize(copies=2)

    def goes(step: mv.Method, **more: Any) -> bool:
        recipe = mv.Recipe(roles=mv.Roles(quasi_identifiers=["sex"]), steps=[step])
        job = job_of(recipe, tmp_path / "in.parquet", tmp_path / "out.parquet", **more)
        return goes_in_parts(job, wanted=None)

    assert not goes(swap, memory_limit=2**29, limited=True)
    monkeypatch.setattr("microveil.planning.cost_estimate.WHOLE_COPIES", 2**40)
    assert goes(swap, memory_limit=2**29)
    assert not goes(copies, memory_limit=2**29)  # nobody asked for less
    with pytest.raises(mv.InputError, match="cannot be done in parts: step synthesize makes"):
        goes(copies, memory_limit=2**29, limited=True)
