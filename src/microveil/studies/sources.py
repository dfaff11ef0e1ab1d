"""The public data the studies need: shipped with the package, read without a network."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from microveil.hierarchies import File

N_ADULT = 32_561
N_SALARIES = 148_651
SALARY_MEAN = 74_759.0
SALARY_SD = 50_476.0


def adult() -> pl.DataFrame:
    """Adult: 30,162 complete records of the 1994 census extract, nine columns.

    Source: UCI machine learning repository (Becker & Kohavi, 1996), as ARX ships it.
    """
    with _file("adult.parquet") as path:
        return pl.read_parquet(path)


def adult_hierarchies() -> dict[str, File]:
    """ARX's hierarchies of Adult's columns."""
    from microveil.hierarchies import File

    names = adult().columns
    return {name: File(path=_path(f"adult_hierarchy_{name}.csv"), separator=";") for name in names}


def adult_numbers(n: int = N_ADULT, seed: int = 1994) -> pl.DataFrame:
    """A stand-in for Adult's six columns of numbers, which the shipped file lacks.

    Ages are drawn from those of the shipped file; the other columns imitate what is known about
    them: weights spread over a million, sixteen steps of education, gains and losses that are
    mostly zero, and working weeks of mostly forty hours. Columns are drawn independently.
    """
    rng = np.random.default_rng(seed)
    ages = adult()["age"].cast(pl.Int64).to_numpy()
    gain = np.where(rng.random(n) < 0.08, np.round(rng.lognormal(8.7, 0.8, n)), 0)  # noqa: PLR2004  a share
    loss = np.where(rng.random(n) < 0.05, np.round(rng.normal(1870, 370, n)), 0)  # noqa: PLR2004  likewise
    usual = rng.random(n) < 0.47  # noqa: PLR2004  likewise
    hours = np.where(usual, 40, np.clip(np.round(rng.normal(41, 15, n)), 1, 99))
    return pl.DataFrame(
        {
            "age": rng.choice(ages, n),
            "fnlwgt": np.round(rng.lognormal(12, 0.6, n)).astype(np.int64),
            "education-num": np.clip(np.round(rng.normal(10, 2.6, n)), 1, 16).astype(np.int64),
            "capital-gain": np.clip(gain, 0, 99_999).astype(np.int64),
            "capital-loss": np.clip(loss, 0, 4_356).astype(np.int64),
            "hours-per-week": hours.astype(np.int64),
        }
    )


def census() -> pl.DataFrame:
    """Census: 1,080 records of 13 amounts, a reference set of the CASC project (Brand, 2002)."""
    with _file("census.csv") as path:
        return pl.read_csv(path)


def titanic_ages() -> pl.DataFrame:
    """The 714 known ages among the Titanic's 891 passengers."""
    with _file("titanic_age.csv") as path:
        return pl.read_csv(path).drop_nulls()


def salaries(n: int = N_SALARIES, seed: int = 2021) -> pl.DataFrame:
    """A stand-in for San Francisco's salaries: right-skewed, never negative, the same moments.

    A gamma distribution with the mean and standard deviation that the thesis prints.

    >>> frame = salaries()
    >>> round(frame["salary"].mean()), round(frame["salary"].std(), -1), frame["salary"].min() >= 0
    (74759, 50480.0, True)
    """
    shape = (SALARY_MEAN / SALARY_SD) ** 2
    drawn = np.random.default_rng(seed).gamma(shape, SALARY_SD**2 / SALARY_MEAN, n)
    for _ in range(3):  # clipping at zero moves the moments a little; they settle at once
        drawn = (drawn - drawn.mean()) / drawn.std(ddof=1) * SALARY_SD + SALARY_MEAN
        drawn = np.maximum(drawn, 0.0)
    return pl.DataFrame({"salary": np.round(drawn, 2)})


def _file(name: str) -> AbstractContextManager[Path]:
    return resources.as_file(resources.files("microveil.studies") / "data" / name)


def _path(name: str) -> str:
    return str(resources.files("microveil.studies") / "data" / name)
