"""A small hospital whose tables obey rules between them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl

START = dt.date(2020, 1, 1)


def hospital(n: int = 120, seed: int = 1) -> dict[str, pl.DataFrame]:
    """Patients, their visits before they die, laboratory values after a visit began, and wards."""
    rng = np.random.default_rng(seed)
    alive = rng.integers(400, 2000, n)
    patients = pl.DataFrame(
        {
            "id": [f"p{i}" for i in range(n)],
            "name": [f"name {i}" for i in range(n)],
            "sex": rng.choice(["f", "m"], n),
            "death": [START + dt.timedelta(days=int(d)) if d < 900 else None for d in alive],
        }
    )
    visits, labs = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
    for i in range(n):
        for day in sorted(rng.integers(0, alive[i], rng.integers(0, 5)).tolist()):
            begin = START + dt.timedelta(days=day)
            visits.append((len(visits), f"p{i}", begin, int(rng.integers(1, 4))))
            for _ in range(int(rng.integers(0, 3))):
                taken = begin + dt.timedelta(days=int(rng.integers(0, 3)))
                labs.append((visits[-1][0], f"p{i}", taken, float(rng.normal(10, 2))))
    return {
        "patients": patients,
        "visits": pl.DataFrame(visits, schema=["visit", "patient", "day", "ward"], orient="row"),
        "labs": pl.DataFrame(labs, schema=["visit", "patient", "taken", "value"], orient="row"),
        "wards": pl.DataFrame({"ward": [1, 2, 3], "text": ["eyes", "heart", "skin"]}),
    }


RECIPE: dict[str, Any] = {
    "tables": {
        "patients": {"roles": {"identifiers": ["name"]}},
        "visits": {},
        "labs": {},
        "wards": {"roles": {"insensitive": ["text"]}},
    },
    "links": [
        "visits.patient -> patients.id",
        "visits.ward -> wards.ward",
        "labs.visit -> visits.visit",
        "labs.patient -> patients.id",
    ],
    "people": {"table": "patients", "key": "id"},
    "synthesize": {
        "order": {"visits": "day"},
        "rules": ["visits.day <= patients.death", "labs.taken >= visits.day"],
    },
}
