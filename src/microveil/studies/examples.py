"""Example data: seeded generators of realistic tables; all data are artificial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl

from microveil.studies.ad_views import ad_views

COLUMNS = 3
"""Columns of the sets of numbers."""
DISEASES = ("flu", "asthma", "diabetes", "hypertension", "angina", "migraine", "ulcer")
TOWNS = ("Northfield", "Eastbrook", "Southport", "Westhaven", "Midvale")


@dataclass(frozen=True)
class Example:
    """A table that can be drawn at any size."""

    title: str
    rows: int
    """Number of rows by default."""
    draw: Callable[[int, int], pl.DataFrame]
    """Of a number of rows and a seed."""


def independent(n: int, seed: int = 0) -> pl.DataFrame:
    """Every column 1 … n: the independent sets of the Zaragoza thesis (2017).

    >>> independent(2).rows()
    [(1, 1, 1), (2, 2, 2)]
    """
    del seed
    return pl.DataFrame({f"A{i}": np.arange(1, n + 1) for i in range(COLUMNS)})


def squares(n: int, seed: int = 0) -> pl.DataFrame:
    """The same with squares: values that become sparser."""
    return independent(n, seed).select(pl.all() ** 2)


def dependent(n: int, seed: int = 0) -> pl.DataFrame:
    """All combinations of the fewest values per column that give at least n rows.

    >>> dependent(8).height, dependent(9).height
    (8, 27)
    """
    del seed
    values = np.arange(1, int(np.ceil(round(n ** (1 / COLUMNS), 9))) + 1)
    grids = np.meshgrid(*[values] * COLUMNS, indexing="ij")
    return pl.DataFrame({f"A{i}": grid.ravel() for i, grid in enumerate(grids)})


def random_numbers(n: int, seed: int = 0) -> pl.DataFrame:
    """Independent columns of uniform random numbers from 1 to n: the thesis' random data sets."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame({f"A{i}": rng.integers(1, n + 1, n) for i in range(COLUMNS)})


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


def _choose(chances: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A category for each row, by its probability."""
    cumulated = np.cumsum(chances, axis=1)
    drawn = rng.random(len(chances)) * cumulated[:, -1]
    return np.asarray((drawn[:, None] > cumulated).sum(axis=1), dtype=np.int64)


EXAMPLES: Mapping[str, Example] = {
    "ad_views": Example("views of advertisements, as the program of St Petersburg", 260_000,
                        lambda n, seed: ad_views(n, seed=seed)),
    "patients": Example("a patient file", 1_000, patients),
    "households": Example("a household survey with weights", 5_000, households),
    "panel": Example("a panel: the same people in five years", 5_000, panel),
    "independent": Example("every column 1 … n (Zaragoza)", 1_000, independent),
    "squares": Example("every column the squares of 1 … n (Zaragoza)", 1_000, squares),
    "dependent": Example("all combinations of the values (Zaragoza)", 1_000, dependent),
    "random": Example("numbers drawn evenly from 1 … n (Zaragoza)", 1_000, random_numbers),
}  # fmt: skip
"""By the name that ``microveil example`` takes."""
