from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.files import format_of
from microveil.files.delimited_text import delimited
from microveil.files.placing import Sink


def recipe(roles: mv.Roles, *steps: mv.Method, k: int = 2, **more: object) -> mv.Recipe:
    return mv.Recipe.model_validate(
        {"roles": roles, "steps": steps, "require": [mv.KAnonymity(k=k)], **more}
    )


def test_a_broken_promise_yields_no_data(patients: pl.DataFrame, roles: mv.Roles) -> None:
    release = mv.run(recipe(roles, mv.Drop(columns=["name"])), patients)
    with pytest.raises(
        mv.RequirementNotMetError,
        match=r"2-anonymity does not hold: 6 of 6 records break it \(required 2, reached 1\)\.",
    ):
        _ = release.data
    assert release.table.height == 6


def test_a_broken_promise_writes_nothing(
    patients: pl.DataFrame, roles: mv.Roles, tmp_path: Path
) -> None:
    release = mv.run(recipe(roles, mv.Drop(columns=["name"])), patients)
    with pytest.raises(mv.RequirementNotMetError):
        release.write(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_kept_promise_yields_the_data(patients: pl.DataFrame) -> None:
    roles = mv.Roles(identifiers=["name"], quasi_identifiers=["sex"], sensitive=["disease"])
    release = mv.run(recipe(roles, mv.Drop(columns=["name", "age", "zip"]), k=3), patients)
    assert release.data.columns == ["sex", "disease"]
    assert [check.achieved for check in release.checks] == [3]


def test_promises_are_checked_for_every_scenario(patients: pl.DataFrame) -> None:
    roles = mv.Roles(quasi_identifiers=["sex"], scenarios={"neighbour": ["age", "sex"]})
    release = mv.run(recipe(roles), patients)
    assert [check.holds for check in release.checks] == [True, False]
    with pytest.raises(mv.RequirementNotMetError, match="for scenario 'neighbour'"):
        _ = release.data


def test_requirements_without_quasi_identifiers_are_refused(patients: pl.DataFrame) -> None:
    with pytest.raises(mv.InputError, match="names no quasi-identifiers"):
        mv.run(recipe(mv.Roles()), patients)


def test_a_column_nobody_decided_about_is_not_exported(
    patients: pl.DataFrame, tmp_path: Path
) -> None:
    roles = mv.Roles(quasi_identifiers=["sex"])
    release = mv.run(recipe(roles, mv.Drop(columns=["name"])), patients)
    with pytest.raises(mv.InputError, match="Columns 'age', 'zip', 'disease' are"):
        release.write(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("word", "left"), [("keep", 4), ("drop", 1)])
def test_undeclared_columns_are_kept_or_dropped_when_told(
    patients: pl.DataFrame, tmp_path: Path, word: str, left: int
) -> None:
    roles = mv.Roles(quasi_identifiers=["sex"])
    release = mv.run(recipe(roles, mv.Drop(columns=["name"]), undeclared=word), patients)
    release.write(tmp_path / "out.csv")
    assert mv.read(tmp_path / "out.csv").width == left


def test_an_identifier_no_step_dealt_with_is_not_exported(
    patients: pl.DataFrame, roles: mv.Roles, tmp_path: Path
) -> None:
    release = mv.run(recipe(roles, mv.SuppressRecords(k=2)), patients)
    with pytest.raises(mv.InputError, match="Column 'name' identifies people"):
        release.write(tmp_path / "out.csv")


def test_keeping_undeclared_columns_keeps_no_identifier(
    patients: pl.DataFrame, roles: mv.Roles, tmp_path: Path
) -> None:
    release = mv.run(recipe(roles, mv.SuppressRecords(k=2), undeclared="keep"), patients)
    with pytest.raises(mv.InputError, match="Drop, mask or pseudonymize it"):
        release.write(tmp_path / "out.csv")


def test_a_file_that_breaks_the_promise_never_appears(
    patients: pl.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles = mv.Roles(quasi_identifiers=["sex"])
    release = mv.run(recipe(roles, undeclared="keep"), patients)

    inner = delimited.sink

    @contextmanager
    def careless(*arguments: Any) -> Iterator[Sink]:
        with inner(*arguments) as sink:
            wrong = pl.int_range(pl.len()).cast(pl.String)
            yield Sink(lambda frame: sink.append(frame.with_columns(sex=wrong)))

    monkeypatch.setitem(vars(format_of("out.csv")), "sink", careless)
    with pytest.raises(mv.FileError, match="does not hold column 'sex' exactly"):
        release.write(tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == []


def test_rows_leave_in_random_order_unless_asked_otherwise(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f"] * 200, "n": range(200)})
    roles = mv.Roles(quasi_identifiers=["sex"], insensitive=["n"])
    release = mv.run(recipe(roles), frame)
    release.write(tmp_path / "shuffled.parquet")
    release.write(tmp_path / "kept.parquet", keep_order=True)
    shuffled = pl.read_parquet(tmp_path / "shuffled.parquet")["n"]
    assert shuffled.to_list() != list(range(200))
    assert sorted(shuffled) == list(range(200))
    assert pl.read_parquet(tmp_path / "kept.parquet")["n"].to_list() == list(range(200))


def test_risk_and_utility_are_part_of_a_release(patients: pl.DataFrame, roles: mv.Roles) -> None:
    steps = recipe(roles, mv.Drop(columns=["name", "zip", "age"]))
    release = mv.run(steps, patients)
    assert (release.risk_before.k, release.risk.k) == (1, 3)
    assert release.utility["cell_changes"].value == pytest.approx(3 / 5)


def test_categories_that_are_gone_are_not_written(tmp_path: Path) -> None:
    towns = pl.Enum(["Ur", "Lone"])
    frame = pl.DataFrame({"town": ["Ur", "Lone", "Ur"]}, schema={"town": towns})
    roles = mv.Roles(quasi_identifiers=["town"])
    release = mv.run(recipe(roles, mv.SuppressRecords(k=2)), frame)
    release.write(tmp_path / "out.parquet")
    assert b"Lone" not in (tmp_path / "out.parquet").read_bytes()


def test_two_mappings_of_one_recipe_are_both_kept(patients: pl.DataFrame) -> None:
    steps = [mv.Pseudonymize(columns=[name], mapping=True) for name in ("name", "disease")]
    assert len(mv.run(mv.Recipe(steps=steps), patients).secrets) == 2


def test_sensitive_columns_are_checked_in_the_written_file_too(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "pay": [1, 4, 2, 3]})
    roles = mv.Roles(quasi_identifiers=["sex"], sensitive=["pay"])
    promises = [
        mv.KAnonymity(k=2),
        mv.LDiversity(l=2),
        mv.TCloseness(t=0.5, column="pay", distance="ordered"),
    ]
    release = mv.run(mv.Recipe(roles=roles, require=promises), frame)
    release.write(tmp_path / "out.csv")
    assert mv.read(tmp_path / "out.csv").height == 4
    strict = mv.run(mv.Recipe(roles=roles, require=[mv.LDiversity(l=3)]), frame)
    with pytest.raises(mv.RequirementNotMetError, match="diversity"):
        strict.write(tmp_path / "none.csv")


def test_blanking_treats_missing_keys_as_the_requirements_do(tmp_path: Path) -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "f", "m"], "age": [30, 30, 40, 50]})
    roles = mv.Roles(quasi_identifiers=["sex", "age"])
    safe = mv.run(recipe(roles, mv.LocalSuppression(k=2)), frame)
    assert safe.holds
    assert safe.risk.missing == "category"
    loose = mv.run(recipe(roles, mv.LocalSuppression(k=2), missing="wildcard"), frame)
    assert loose.holds
    assert loose.facts[0].facts["n_suppressed_cells"] < safe.facts[0].facts["n_suppressed_cells"]
    check = loose.checks[0]
    assert "a missing key matching any value" in check.sentence()
    assert check.sentence().endswith("; missing keys as their own value: 1).")
    assert check.to_dict()["achieved_as_category"] == 1
    loose.write(tmp_path / "out.csv")
    assert not mv.run(recipe(roles, mv.LocalSuppression(k=2, missing="wildcard")), frame).holds
