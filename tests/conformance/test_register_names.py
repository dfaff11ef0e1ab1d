"""Roles of columns as registers, surveys and hospitals name them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.app.inspection import inspect
from microveil.files import Labels

RNG = np.random.default_rng(11)
N = 1200
HOMES = np.repeat(np.arange(N // 3), 3)
PAY = np.round(RNG.lognormal(10, 0.8, N))
AREAS = RNG.choice(np.arange(101, 860, 7), N)


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("KOM", AREAS, "quasi_identifier"),
        ("KOMMUNE", AREAS, "quasi_identifier"),
        ("BOPKOM", AREAS, "quasi_identifier"),
        ("bosted_kommune", AREAS, "quasi_identifier"),
        ("v024x", AREAS, "quasi_identifier"),
        ("INDKOMST", PAY, "sensitive"),
        ("hhincome", PAY, "sensitive"),
        ("hh_income", PAY, "sensitive"),
        ("PERINDKIALT_13", PAY, "sensitive"),
        ("q17b", PAY, "sensitive"),
        ("diabetes", RNG.integers(0, 2, N), "sensitive"),
        ("chronic_copd", RNG.integers(0, 2, N), "sensitive"),
        ("pernum", np.tile([1, 2, 3], N // 3), "identifier"),
        ("koen", RNG.integers(1, 3, N), "quasi_identifier"),
        ("ALDER", RNG.integers(0, 99, N), "quasi_identifier"),
        ("FOED_DAG", ["1970-01-02", "1980-03-04", "1990-05-06"] * (N // 3), "quasi_identifier"),
        ("hhweight", RNG.gamma(4, 25, N), "weight"),
        ("psu", RNG.integers(1, 200, N), "identifier"),
        ("latnum", np.round(RNG.uniform(40, 43, N), 5), "quasi_identifier"),
    ],
)
def test_a_column_alone(name: str, values: Any, role: str) -> None:
    assert inspect(pl.DataFrame({name: values}))[name].role == role


def test_a_household_survey_is_weighed_as_a_whole() -> None:
    frame = pl.DataFrame(
        {
            "hhid": [f"00{home:08d}" for home in HOMES],
            "nr": np.tile([1, 2, 3], N // 3),
            "hhweight": np.repeat(RNG.gamma(4, 50, N // 3), 3),
            "height": RNG.normal(170, 9, N),
            "weight": RNG.normal(72, 12, N),
            "hhincome": np.repeat(PAY[: N // 3], 3),
        }
    )
    found = inspect(frame)
    assert found.roles.household == "hhid"
    assert found.roles.weight == "hhweight"
    assert found["weight"].kind == "body_measure"
    assert found["nr"].role == "identifier"
    assert found["hhincome"].role == "sensitive"


def test_labels_say_what_names_do_not() -> None:
    frame = pl.DataFrame(
        {
            "v1": RNG.integers(0, 2, N),
            "v2": PAY,
            "v3": RNG.gamma(4, 25, N),
            "v4": RNG.choice([11, 12, 21, 98], N),
        }
    )
    labels = Labels(
        columns={
            "v1": "Ever diagnosed with diabetes",
            "v2": "Ingresos del hogar",
            "v3": "Household sample weight",
        },
        values={"v4": {11: "Urban", 12: "Rural", 21: "Other", 98: "Don't know"}},
    )
    found = inspect(frame, labels=labels)
    assert found["v1"].role == "sensitive"
    assert found["v2"].role == "sensitive"
    assert found["v3"].role == "weight"
    assert found["v4"].role == "quasi_identifier"
