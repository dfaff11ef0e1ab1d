"""An SPSS household survey with dirt: codes, labels, weights, ids, contradicting members."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from microveil.files import Labels, write

COLUMNS = {
    "idnum": "Respondent number",
    "hhid": "Household identifier",
    "pernum": "Line number of person in household",
    "region": "Region of residence",
    "urban": "Type of place",
    "hhsize": "Number of household members",
    "sex": "Sex of respondent",
    "age": "Age in completed years",
    "ethnic": "Ethnic group",
    "educ": "Highest level attended",
    "educyrs": "Years of schooling",
    "height": "Height in cm",
    "income": "Monthly household income",
    "diabetes": "Ever told diabetes",
    "hhweight": "Household sample weight",
}
VALUES: dict[str, dict[Any, str]] = {
    "region": {1: "North", 2: "Centre", 3: "South"},
    "urban": {1: "Urban", 2: "Rural"},
    "sex": {1: "Male", 2: "Female"},
    "ethnic": {1: "Group A", 2: "Group B", 3: "Group C", 9: "Not stated"},
    "educ": {0: "None", 1: "Primary", 2: "Secondary", 3: "Higher", 98: "Don't know"},
    "educyrs": {98: "Don't know"},
    "diabetes": {0: "No", 1: "Yes", 8: "Don't know"},
    "age": {999: "Missing"},
    "height": {9999: "Not measured"},
    "income": {-9: "Refused"},
}


def household_survey(n_households: int, seed: int = 3) -> pl.DataFrame:
    """Members of households: 999, 9999, 98 and -9 are no ages, heights, years and incomes."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4, 5], n_households, p=[0.25, 0.3, 0.2, 0.15, 0.1])
    home = np.repeat(np.arange(n_households), sizes)
    n = len(home)
    ethnic = rng.choice([1, 2, 3], n_households, p=[0.7, 0.2, 0.1])[home]
    educ = rng.choice([0, 1, 2, 3, 98], n, p=[0.15, 0.35, 0.3, 0.17, 0.03])
    income = rng.lognormal(7.5, 0.6, n_households).round(2)
    income[rng.random(n_households) < 0.05] = -9
    found = {
        "idnum": rng.permutation(n) + 1_000_000,
        "hhid": home + 50_001,
        "pernum": np.concatenate([np.arange(size) + 1 for size in sizes]),
        "region": rng.choice([1, 2, 3], n_households)[home],
        "urban": rng.choice([1, 2], n_households)[home],
        "hhsize": sizes[home],
        "sex": rng.choice([1, 2], n),
        "age": np.where(rng.random(n) < 0.02, 999, rng.integers(0, 85, n)),
        "ethnic": np.where(rng.random(n) < 0.01, 9, ethnic),
        "educ": educ,
        "educyrs": np.where(educ == 98, 98, educ * 4 + rng.integers(0, 4, n)),
        "height": np.where(rng.random(n) < 0.03, 9999, rng.normal(168, 10, n).round(1)),
        "income": income[home],
        "diabetes": rng.choice([0, 1, 8], n, p=[0.85, 0.12, 0.03]),
        "hhweight": rng.uniform(80, 400, n_households).round(3)[home],
    }
    return pl.DataFrame(found)


def write_survey(path: Path, n_households: int) -> pl.DataFrame:
    """Write the survey as an SPSS file."""
    frame = household_survey(n_households)
    write(frame, path, keep_order=True, labels=Labels(columns=COLUMNS, values=VALUES))
    return frame
