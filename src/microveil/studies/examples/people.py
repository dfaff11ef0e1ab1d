"""People as surveys and files have them: patients, households, and a panel; all artificial."""

from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs

DISEASES = ("flu", "asthma", "diabetes", "hypertension", "angina", "migraine", "ulcer")
TOWNS = ("Northfield", "Eastbrook", "Southport", "Westhaven", "Midvale")


def patients(n: int, seed: int = 0) -> pl.DataFrame:
    """A patient file: a name, keys, a disease that depends on age, and what it cost."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.gamma(7, 7, n), 0, 99).astype(np.int64)
    older = age / 100
    chances = np.column_stack([1.2 - older, 0.5 + 0 * older, older, older, older**2,
                               0.4 + 0 * older, 0.3 + 0 * older])  # fmt: skip
    disease = _choose(chances, rng)
    cost = np.round(rng.lognormal(6 + 1.5 * older, 0.7), 2)
    first = np.datetime64("2021-01-01")
    admitted = first + rng.integers(0, 365, n).astype("timedelta64[D]")
    return pl.DataFrame(
        {
            "name": pl.Series(rng.permutation(n)).cast(pl.String).str.replace("^", "patient "),
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "zip": pl.Series(rng.integers(8000, 8060, n)).cast(pl.String).str.zfill(5),
            "admitted": pl.Series(admitted).cast(pl.Date),
            "disease": pl.Series(DISEASES).gather(disease),
            "cost": cost,
        }
    )


def households(n: int, seed: int = 0) -> pl.DataFrame:
    """A household survey: members of households with a town, a weight, and an income each."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([1, 2, 3, 4, 5, 6], n, p=[0.3, 0.3, 0.17, 0.14, 0.06, 0.03])
    of_row = np.repeat(np.arange(n), sizes)[:n]
    town = rng.choice(len(TOWNS), n, p=[0.4, 0.25, 0.2, 0.1, 0.05])
    adult = np.concatenate([[True], of_row[1:] != of_row[:-1]]) | (rng.random(n) < 0.4)  # noqa: PLR2004  a share
    age = np.where(adult, rng.integers(18, 95, n), rng.integers(0, 18, n))
    income = np.where(age >= 18, np.round(rng.lognormal(7.6, 0.6, n)), 0)  # noqa: PLR2004  of age
    weight = np.round(rng.gamma(4, 25, n), 1)
    return pl.DataFrame(
        {
            "household": of_row,
            "town": pl.Series(TOWNS).gather(town[of_row]),
            "size": np.bincount(of_row)[of_row],
            "age": age,
            "sex": rng.choice(["f", "m"], n),
            "income": income,
            "weight": weight[of_row],
        }
    )


def panel(n: int, seed: int = 0) -> pl.DataFrame:
    """A panel: people asked once a year for five years, with a job and a wage that change."""
    rng = np.random.default_rng(seed)
    years = 5
    n_people = -(-n // years)
    person = np.repeat(np.arange(n_people), years)[:n]
    year = np.tile(np.arange(2018, 2018 + years), n_people)[:n]
    born = rng.integers(1940, 2000, n_people)
    level = rng.normal(10, 0.5, n_people)
    moved = np.cumsum(rng.random((n_people, years)) < 0.1, axis=1).ravel()[:n]  # noqa: PLR2004  a share
    jobs = ("cook", "nurse", "teacher", "clerk", "driver", "engineer")
    job = (rng.integers(0, len(jobs), n_people)[person] + moved) % len(jobs)
    return pl.DataFrame(
        {
            "person": person,
            "year": year,
            "birth_date": pl.Series([date(int(y), 1 + int(y) % 12, 1) for y in born]).gather(
                person
            ),
            "sex": pl.Series(rng.choice(["f", "m"], n_people)).gather(person),
            "job": pl.Series(jobs).gather(job),
            "wage": np.round(np.exp(level[person] + rng.normal(0, 0.05, n) + 0.02 * (year - 2018))),
        }
    )


def _choose(chances: Floats, rng: np.random.Generator) -> Longs:
    """A category for each row, by its probability."""
    cumulated = np.cumsum(chances, axis=1)
    drawn = rng.random(len(chances)) * cumulated[:, -1]
    return np.asarray((drawn[:, None] > cumulated).sum(axis=1), dtype=np.int64)
