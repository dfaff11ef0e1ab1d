"""Releases that metadata are made of: labels, weights, households, dates, ugly names."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl

import microveil as mv
from microveil.files import Labels
from microveil.release import Release

UGLY = 'pay "net" <€> & more'
LABELS = Labels(
    columns={"sex": "Sex <of> respondent", UGLY: "Pay & more"},
    values={"sex": {1: "male", 2: "female"}},
    title="Household panel",
    universes={UGLY: "employees"},
)
STUDY = mv.Study(
    description="Who earns & what <em>not</em>",
    creator="Office",
    publisher="Archive",
    license="https://creativecommons.org/licenses/by/4.0/",
    url="https://example.org/panel",
    identifier="doi:10.1/x",
    version="1.0",
    published=date(2026, 1, 2),
    keywords=("income", "sex"),
    universe="People in private households",
    unit="Person",
    country="Spain",
    period="2024",
    collection="Interview",
    source="Panel register",
    citation="Office (2026)",
    access="Free",
    contact="data@example.org",
)


RECIPE: dict[str, Any] = {
    "roles": {
        "identifiers": ["name"],
        "quasi_identifiers": ["sex", "age"],
        "sensitive": [UGLY],
        "insensitive": ["town", "since"],
        "weight": "w",
        "household": "home",
    },
    "steps": [
        {"method": "drop", "columns": ["name"]},
        {"method": "pseudonymize", "columns": ["home"], "key_env": "MICROVEIL_TEST_METADATA_KEY"},
        {
            "method": "generalize",
            "column": "age",
            "hierarchy": {"hierarchy": "intervals", "width": 20},
            "level": 1,
        },
        {"method": "additive_noise", "columns": [UGLY], "sd_share": 0.0731},
        {"method": "suppress_records", "k": 3},
    ],
    "require": [{"model": "k_anonymity", "k": 3}],
}


def people() -> pl.DataFrame:
    n = 120
    return pl.DataFrame(
        {
            "name": [f"p{i}" for i in range(n)],
            "home": [f"secret-home-{i // 2}" for i in range(n)],
            "sex": [1, 2] * (n // 2),
            "age": [20 + i % 40 for i in range(n)],
            "town": ["Ávila"] * 60 + ["Cuenca"] * 57 + ["Tiny"] * 3,
            "since": [date(2020, 1, 1 + i % 28) for i in range(n)],
            "w": [1.25] * n,
            UGLY: [1000.37 + 13 * i for i in range(n)],
        }
    )


def panel() -> Release:
    """A release in which every kind of step was at work."""
    recipe = mv.Recipe.parse(RECIPE)
    return mv.run(recipe, people(), seed=90210, labels=LABELS)
