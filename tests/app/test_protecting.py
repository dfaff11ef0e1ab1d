from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import microveil as mv
from tests.app.suggesting.test_use_case import ROLES, survey


def test_one_call_gives_a_release_that_holds_and_says_what_it_assumed() -> None:
    frame = survey(800).with_columns(pl.Series("name", [f"Person {i}" for i in range(800)]))
    release = mv.protect(frame, k=4, seed=1)
    assert release.holds
    assert release.data.height == 800
    assert "name" not in release.data.columns
    assert any("'name'" in note for note in release.notes)
    keys = [name for name in release.recipe.roles.quasi_identifiers if name in release.data.columns]
    assert (release.data.group_by(keys).len()["len"] >= 4).all()


def test_pandas_comes_out_where_pandas_went_in() -> None:
    release = mv.protect(survey(300).to_pandas(), ROLES, k=3)
    assert isinstance(release.data, pd.DataFrame)


def test_without_a_key_in_sight_the_caller_is_asked() -> None:
    with pytest.raises(mv.InputError, match="quasi_identifiers"):
        mv.protect(pl.DataFrame({"income": [120, 520, 930]}))


def test_columns_that_nothing_is_known_about_are_treated_as_known_to_others() -> None:
    release = mv.protect(pl.DataFrame({"x1": np.linspace(0, 1, 300)}), k=3)
    assert release.recipe.roles.quasi_identifiers == ("x1",)
    assert release.data["x1"].n_unique() <= 100


def test_columns_without_a_role_are_left_out_and_told() -> None:
    frame = survey(300).with_columns(pl.lit(0.5).alias("qqq"))
    release = mv.protect(frame, ROLES, k=3)
    assert "qqq" not in release.data.columns
    assert any("'qqq'" in note for note in release.notes)


def test_what_was_lost_and_what_is_left_to_do_is_told() -> None:
    ages = [31, 32, 33, 34, 35, 36, 70, 71]
    frame = pl.DataFrame({"age": ages, "sex": ["f", "m"] * 4, "cost": [i + 0.01 for i in range(8)]})
    release = mv.protect(frame, k=3)
    blanked = sum(
        release.data[name].null_count() for name in ("age", "sex") if name in release.data.columns
    )
    told = f"Removed: {8 - release.data.height} of 8 records. Made missing: {blanked} of "
    assert any(note.startswith(told) for note in release.notes)
    assert sum(note.startswith("Columns 'age', 'sex' may be known") for note in release.notes) == 1


def test_whoever_names_the_keys_alone_still_means_people_not_rows() -> None:
    rows = [(f"P{i // 4:04d}", "f" if i // 4 % 2 else "m", i // 4 % 9, i % 7) for i in range(800)]
    frame = pl.DataFrame(rows, schema=["patient_id", "sex", "ward", "visit"], orient="row")
    release = mv.protect(frame, mv.Roles(quasi_identifiers=["sex", "ward"]), k=5)
    assert release.recipe.roles.entity == "patient_id"
    assert "patient_id" not in release.data.columns
    assert any("k counts people" in note for note in release.notes)
    people = release.data.with_columns(who=frame["patient_id"]).group_by("sex", "ward")
    assert people.agg(pl.col("who").n_unique())["who"].min() >= 5  # type: ignore[operator]
    said = mv.Roles(quasi_identifiers=["sex"], insensitive=["patient_id"])
    assert mv.protect(frame, said, k=5).recipe.roles.entity is None, "what was said is kept"
