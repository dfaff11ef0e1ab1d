from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.linked import LinkedRecipe, LinkedRelease, run_linked
from tests.linked.test_running import small


def release(**more: object) -> LinkedRelease:
    frames, raw = small()
    raw["people"]["suppress"] = True
    return run_linked(LinkedRecipe.parse(raw | more), frames, seed=3)


def test_all_tables_are_written_together_with_new_keys(tmp_path: Path) -> None:
    made = release()
    reports = made.write(tmp_path / "out")
    assert {one.n_rows for one in reports} == {2}
    people, visits = (mv.read(tmp_path / "out" / f"{name}.csv") for name in ("people", "visits"))
    assert set(visits["person"]) == set(people["id"]) == {1, 2}
    assert made.risk.k == 2
    assert made.risk_before.k == 1


def test_a_failure_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = release()
    calls: list[int] = []

    def fail(*args: object, **options: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise InputError("The disk is full.")
        return mv.write(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("microveil.linked.storing.write", fail)
    with pytest.raises(InputError, match="disk"):
        made.write(tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_keys_stay_if_asked_and_no_cell_is_told() -> None:
    made = release(keys="keep")
    assert set(made.data["people"]["id"]) == {1, 2}
    told = made.to_dict()
    assert told["n_people"] == 2
    assert told["n_people_before"] == 3
    assert told["tables"]["visits"]["n_suppressed"] == 2
    assert "2 of 3 people" in repr(made)


def test_a_key_that_identifies_people_is_replaced_but_not_kept() -> None:
    frames, raw = small()
    raw["people"]["suppress"] = True
    raw["tables"]["people"].setdefault("roles", {})["identifiers"] = ["id"]
    assert run_linked(LinkedRecipe.parse(raw), frames, seed=3).data["people"].height == 2
    with pytest.raises(InputError, match="identifies people"):
        run_linked(LinkedRecipe.parse(raw | {"keys": "keep"}), frames, seed=3)


def test_an_undeclared_column_stops_everything() -> None:
    frames, raw = small()
    frames["visits"] = frames["visits"].with_columns(pl.Series("remark", ["x"] * 4))
    raw["people"]["require"] = []
    with pytest.raises(InputError, match="Table 'visits': Column 'remark'"):
        _ = run_linked(LinkedRecipe.parse(raw), frames).data
