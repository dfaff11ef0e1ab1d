from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError
from microveil.files.columns.finding_dates import FORMATS
from tests.app.preset_recipes.cases import patients


def test_safe_harbor_leaves_nothing_of_what_it_names() -> None:
    frame = patients()
    assert len(mv.check_preset("hipaa_safe_harbor", frame).problems) >= 7
    released = mv.run(mv.preset("hipaa_safe_harbor", frame, year=2026), frame, seed=1).data
    assert mv.check_preset("hipaa_safe_harbor", released).problems == ()
    assert released.columns == [
        "birth_date", "age", "zip", "zip_code", "admission_date", "sex", "diagnosis",
    ]  # fmt: skip
    assert set(released["zip"]) == {"000", "021", "100"}
    assert set(released["zip_code"]) == {"000", "021**", "100**"}
    assert set(released["admission_date"]) == {"2019"}
    assert released["age"].max() == 90
    born = released["birth_date"]
    assert "1936 or before" in born
    assert born.filter(born != "1936 or before").cast(pl.Int64).min() == 1937


def test_an_age_of_90_cannot_be_told_from_the_year_of_birth() -> None:
    frame = pl.DataFrame({"birth_year": [1936, 1935, 1937, 1890] * 10})
    recipe = mv.preset("hipaa_safe_harbor", frame, year=2026)
    assert set(mv.run(recipe, frame, seed=1).data["birth_year"]) == {"1936 or before", "1937"}


def test_columns_can_be_said() -> None:
    frame = pl.DataFrame({"a": [1, 95], "b": ["x", "y"], "c": ["02138", "03601"]})
    said = {"age": ["a"], "keep": ["b"], "zip": ["c"]}
    recipe = mv.preset("hipaa_safe_harbor", frame, columns=said).model_copy(
        update={"undeclared": "keep"}
    )
    assert mv.run(recipe, frame, seed=1).data.rows() == [(1, "x", "021"), (90, "y", "000")]
    with pytest.raises(InputError, match="Did you mean 'age'"):
        mv.preset("hipaa_safe_harbor", frame, columns={"agee": ["a"]})


def test_weights_stay_and_the_recipe_runs() -> None:
    weighted = patients().with_columns(sampling_weight=pl.Series([1.5, 20.0, 33.3] * 40))
    recipe = mv.preset("hipaa_safe_harbor", weighted, year=2026)
    assert recipe.roles.weight == "sampling_weight"
    assert "sampling_weight" in mv.run(recipe, weighted, seed=1).data.columns


DAYS = [dt.date(2020, 3, 1), dt.date(2019, 12, 31), dt.date(2021, 7, 4)]


def _written(how: str, day: dt.date) -> str:
    return day.strftime(how)


WAYS: dict[str, Callable[[dt.date], Any]] = {
    "date": lambda day: day,
    "moment": lambda day: dt.datetime(day.year, day.month, day.day, 3, tzinfo=dt.UTC),
    "iso": str,
    "number": lambda day: int(day.strftime("%Y%m%d")),
    "decimal": lambda day: float(day.strftime("%Y%m%d")),
    "day first": lambda day: int(day.strftime("%d%m%Y")),
    **{how: partial(_written, how) for how in FORMATS[::3] if "%d" in how},
}


@pytest.mark.parametrize("n_distinct", [1, 3])
@pytest.mark.parametrize("name", ["q17", "admission"])
@pytest.mark.parametrize("way", WAYS)
def test_a_date_never_leaves_whatever_its_form_its_name_and_its_number(
    way: str, name: str, n_distinct: int
) -> None:
    cells = [WAYS[way](day) for day in DAYS[:n_distinct]] * 8
    frame = pl.DataFrame({name: cells, "sex": (["f", "m"] * 12)[: len(cells)]})
    assert any(name in one for one in mv.check_preset("hipaa_safe_harbor", frame).problems)
    recipe = mv.preset("hipaa_safe_harbor", frame).model_copy(update={"undeclared": "keep"})
    assert recipe.require
    release = mv.run(recipe, frame, seed=1)
    assert release.holds
    left = release.data[name] if name in release.data.columns else pl.Series([], dtype=pl.String)
    assert set(left) <= {"2019", "2020", "2021", "*"}
    unsafe = recipe.model_copy(update={"steps": ()})
    assert not mv.run(unsafe, frame, seed=1).holds


def test_a_date_that_no_step_reaches_withholds_the_release_and_is_named() -> None:
    frame = pl.DataFrame({"note": ["ok", "seen 1.3.2020", "x", "y"] * 5, "sex": ["f", "m"] * 10})
    recipe = mv.preset("hipaa_safe_harbor", frame, columns={"keep": ["note"]})
    release = mv.run(recipe, frame, seed=1)
    assert [check.sentence() for check in release.checks if not check.holds] == [
        "safe_harbor at most 0 does not hold (reached 5, because of column 'note')."
    ]


@pytest.mark.parametrize("name", list(mv.presets()))
def test_every_preset_requires_something_of_the_result(name: str) -> None:
    assert mv.preset(name, patients()).require
