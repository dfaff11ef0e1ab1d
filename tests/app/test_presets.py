"""Recipes that follow a published rule."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.errors import InputError


def patients(n: int = 120) -> pl.DataFrame:
    rng = np.random.default_rng(1)
    births = [dt.date(1920, 1, 1) + dt.timedelta(days=int(d)) for d in rng.integers(0, 30_000, n)]
    return pl.DataFrame(
        {
            "patient_name": [f"Anna Smith{chr(97 + i % 26)}" for i in range(n)],
            "email": [f"u{i}@example.org" for i in range(n)],
            "birth_date": births,
            "age": rng.integers(0, 105, n),
            "zip": [f"{code:05d}" for code in rng.choice([2138, 3601, 10001, 82101], n)],
            "zip_code": rng.choice([2138, 3601, 10001, 82101], n),
            "admission_date": [f"03/{day:02d}/2019" for day in rng.integers(13, 28, n)],
            "sex": rng.choice(["f", "m"], n),
            "diagnosis": rng.choice(["C34.1", "E11.9", "I10"], n),
        }
    )


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


def test_clinical_publication_reaches_its_threshold() -> None:
    frame = patients()
    recipe = mv.preset("clinical_publication", frame)
    release = mv.run(recipe, frame, seed=1)
    assert release.holds
    assert [check.achieved for check in release.checks] == [12, pytest.approx(1 / 12)]
    left = recipe.roles.without(set(recipe.roles.identifiers))
    found = mv.check_preset("clinical_publication", release.data, roles=left)
    assert not any("highest risk" in problem for problem in found.problems)
    before = mv.check_preset("clinical_publication", frame, roles=recipe.roles)
    assert any("highest risk" in problem for problem in before.problems)
    eleven = mv.preset("clinical_publication", frame, threshold=1 / 11)
    assert eleven.require[0] == mv.KAnonymity(k=11)


def test_a_preset_that_is_not_there_is_refused() -> None:
    assert set(mv.presets()) == {"hipaa_safe_harbor", "clinical_publication"}
    with pytest.raises(InputError, match="Did you mean 'hipaa_safe_harbor'"):
        mv.preset("hipaa_safe_harbour", {"a": [1]})
