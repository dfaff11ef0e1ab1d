"""An artificial clinical database of five tables in the manner of OMOP's common data model."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import polars as pl

CONCEPTS = {
    201826: "Type 2 diabetes mellitus",
    316866: "Hypertensive disorder",
    317009: "Asthma",
    4329847: "Myocardial infarction",
    378419: "Alzheimer's disease",
    3004410: "Hemoglobin A1c",
    3004249: "Systolic blood pressure",
}
"""Concepts by number; the last two are measured."""
_CONDITIONS, _MEASURED = list(CONCEPTS)[:5], list(CONCEPTS)[5:]
OUTPATIENT_SHARE = 0.7
_FIRST, _DAYS = date(2015, 1, 1), 3000


def omop_tables(n_people: int = 1000, seed: int = 2022) -> dict[str, pl.DataFrame]:
    """People, their visits, what was found and measured there, and the list of concepts.

    >>> {name: frame.width for name, frame in omop_tables(5).items()}["person"]
    4
    """
    rng = np.random.default_rng(seed)
    born = rng.integers(1930, 2011, n_people)
    person = pl.DataFrame(
        {
            "person_id": rng.permutation(n_people) + 100_000,
            "person_source_value": [f"MRN{number:07d}" for number in rng.permutation(n_people)],
            "gender": rng.choice(["F", "M"], n_people),
            "year_of_birth": born,
        }
    )
    visits = _visits(person, rng)
    return {
        "person": person,
        "visit_occurrence": visits,
        "condition_occurrence": _events(visits, rng, "condition", _CONDITIONS, 0.9),
        "measurement": _measurements(visits, rng),
        "concept": pl.DataFrame(
            {"concept_id": list(CONCEPTS), "concept_name": list(CONCEPTS.values())}
        ),
    }


def _visits(person: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """More visits of older people; each ends when it began, or some days later."""
    age = 2020 - person["year_of_birth"].to_numpy()
    often = np.minimum(rng.poisson(0.5 + age / 40), 6)
    who = np.repeat(np.arange(person.height), often)
    n = len(who)
    start = rng.integers(0, _DAYS, n)
    order = np.lexsort((start, who))
    who, start = who[order], start[order]
    stay = np.where(rng.random(n) < OUTPATIENT_SHARE, 0, rng.integers(1, 12, n))
    return pl.DataFrame(
        {
            "visit_occurrence_id": rng.permutation(n) + 1,
            "person_id": person["person_id"].to_numpy()[who],
            "visit_start_date": _dates(start),
            "visit_end_date": _dates(start + stay),
            "visit_type": np.where(stay > 0, "inpatient", "outpatient"),
        }
    )


def _events(
    visits: pl.DataFrame,
    rng: np.random.Generator,
    kind: str,
    concepts: list[int],
    mean: float,
) -> pl.DataFrame:
    """What happens during visits, on one of their days."""
    row = np.repeat(np.arange(visits.height), rng.poisson(mean, visits.height))
    begin = visits["visit_start_date"].to_physical().to_numpy()[row]
    end = visits["visit_end_date"].to_physical().to_numpy()[row]
    day = begin + (rng.random(len(row)) * (end - begin + 1)).astype(np.int64)
    return pl.DataFrame(
        {
            f"{kind}_id": rng.permutation(len(row)) + 1,
            "person_id": visits["person_id"].to_numpy()[row],
            "visit_occurrence_id": visits["visit_occurrence_id"].to_numpy()[row],
            "concept_id": rng.choice(concepts, len(row)),
            f"{kind}_date": pl.Series(day).cast(pl.Int32).cast(pl.Date),
        }
    )


def _measurements(visits: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    found = _events(visits, rng, "measurement", _MEASURED, 1.4)
    blood = found["concept_id"].to_numpy() == _MEASURED[1]
    values = np.where(blood, rng.normal(130, 18, len(blood)), rng.normal(6.2, 1.1, len(blood)))
    return found.with_columns(pl.Series("value_as_number", values.round(1)))


def _dates(days: Any) -> list[date]:
    return [_FIRST + timedelta(days=int(day)) for day in days]


OMOP_RECIPE: dict[str, Any] = {
    "tables": {
        "person": {
            "roles": {
                "identifiers": ["person_source_value"],
                "quasi_identifiers": ["gender", "year_of_birth"],
            },
            "steps": [
                {"method": "drop", "columns": ["person_source_value"]},
                {
                    "method": "generalize",
                    "column": "year_of_birth",
                    "hierarchy": {"hierarchy": "intervals", "width": 20},
                    "level": 1,
                },
            ],
        },
        "visit_occurrence": {
            "roles": {"insensitive": ["visit_type"]},
            "steps": [{"method": "shift_dates", "columns": ["visit_start_date", "visit_end_date"]}],
        },
        "condition_occurrence": {
            "roles": {"sensitive": ["concept_id"], "insensitive": ["condition_id"]},
            "steps": [{"method": "shift_dates", "columns": ["condition_date"]}],
        },
        "measurement": {
            "roles": {"insensitive": ["measurement_id", "value_as_number"]},
            "steps": [{"method": "shift_dates", "columns": ["measurement_date"]}],
        },
        "concept": {"roles": {"insensitive": ["concept_name"]}},
    },
    "links": [
        "visit_occurrence.person_id -> person.person_id",
        "condition_occurrence.person_id -> person.person_id",
        "condition_occurrence.visit_occurrence_id -> visit_occurrence.visit_occurrence_id",
        "condition_occurrence.concept_id -> concept.concept_id",
        "measurement.person_id -> person.person_id",
        "measurement.visit_occurrence_id -> visit_occurrence.visit_occurrence_id",
        "measurement.concept_id -> concept.concept_id",
    ],
    "people": {
        "table": "person",
        "key": "person_id",
        "quasi_identifiers": ["gender", "year_of_birth", "n_visits"],
        "derived": {"n_visits": {"table": "visit_occurrence", "take": "count"}},
        "scenarios": {"neighbour": ["gender", "year_of_birth"]},
        "require": [{"model": "k_anonymity", "k": 5}],
        "suppress": True,
    },
}
"""What is done to the five tables, and what must hold of their people."""
