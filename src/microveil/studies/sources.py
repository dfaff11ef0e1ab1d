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


def adult_numbers() -> pl.DataFrame:
    """Adult's six columns of numbers: all 32,561 records of its training part.

    Three are as they were: age, years of education, hours per week. The file at hand has the
    others (fnlwgt, capital gain and loss) as hundredths of their range, 0 to 99.
    Source: UCI machine learning repository (Becker & Kohavi, 1996; CC BY 4.0).
    """
    with _file("adult_numbers.parquet") as path:
        return pl.read_parquet(path)


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
