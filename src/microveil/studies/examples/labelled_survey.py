"""A household survey as statistics packages hold it: codes, their labels, and dirt."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.files import Labels

LABELS = Labels(
    title="Household survey 2023 (artificial)",
    columns={
        "hhid": "Household number",
        "pernum": "Person number within household",
        "hhweight": "Household sample weight",
        "strata": "Sampling stratum",
        "psu": "Primary sampling unit",
        "region": "Region of residence",
        "urban": "Urban or rural",
        "hhsize": "Number of household members",
        "relate": "Relationship to household head",
        "sex": "Sex",
        "age": "Age in completed years",
        "marital": "Marital status",
        "ethnic": "Ethnic group of household",
        "educ": "Highest level of education",
        "educyrs": "Years of schooling",
        "empstat": "Employment status",
        "height": "Height in centimetres",
        "disabled": "Any disability",
        "hhincome": "Monthly household income",
    },
    values={
        "region": {1: "North", 2: "East", 3: "South", 4: "West", 5: "Capital", 6: "Islands"},
        "urban": {1: "Urban", 2: "Rural"},
        "relate": {1: "Head", 2: "Spouse", 3: "Child", 4: "Parent", 5: "Other relative",
                   6: "Not related"},
        "sex": {1: "Male", 2: "Female"},
        "marital": {1: "Never married", 2: "Married", 3: "Living together", 4: "Divorced",
                    5: "Widowed", 98: "Don't know"},
        "ethnic": {1: "Aru", 2: "Bele", 3: "Cori", 4: "Dano", 5: "Other"},
        "educ": {0: "None", 1: "Primary", 2: "Lower secondary", 3: "Upper secondary",
                 4: "Tertiary", 98: "Don't know"},
        "educyrs": {98: "Don't know"},
        "empstat": {1: "Employed", 2: "Unemployed", 3: "Student", 4: "Retired", 5: "At home",
                    6: "Child", 98: "Don't know"},
        "height": {9999: "Not measured"},
        "disabled": {0: "No", 1: "Yes", 98: "Don't know"},
        "hhincome": {-9: "Refused"},
    },
)  # fmt: skip
_PSU_PER_STRATUM = 20


def labelled_survey(n: int, seed: int = 0) -> pl.DataFrame:
    """Members of sampled households: codes whose labels are in ``LABELS``.

    Region, setting, ethnic group, income and weight belong to the household, education goes with
    the years of schooling. Dirt as in such files: heights of 9999, 98 for "Don't know", incomes of
    -9 for "Refused", and one member in 300 whose ethnic group contradicts the household's.

    >>> labelled_survey(3).columns[:3]
    ['hhid', 'pernum', 'hhweight']
    """
    rng = np.random.default_rng(seed)
    sizes = np.minimum(rng.poisson(2.6, n) + 1, 11)
    home = np.repeat(np.arange(n), sizes)[:n]
    member = np.concatenate([np.arange(one) for one in sizes[: int(home[-1]) + 1]])[:n]
    region = rng.choice([1, 2, 3, 4, 5, 6], n, p=[0.22, 0.18, 0.2, 0.17, 0.19, 0.04])
    urban = np.where(rng.random(n) < np.where(region == 5, 0.95, 0.4), 1, 2)  # noqa: PLR2004
    strata = 2 * region - (urban == 1)
    psu = 100 * strata + rng.integers(1, _PSU_PER_STRATUM + 1, n)
    ethnic = rng.choice([1, 2, 3, 4, 5], n, p=[0.55, 0.22, 0.13, 0.07, 0.03])
    weight = np.round(rng.gamma(6, 60, n), 2)
    income = np.round(rng.lognormal(8.1, 0.7, n), -1)
    of_home = pl.DataFrame(
        {"hhid": 10_001 + np.arange(n), "hhweight": weight, "strata": strata, "psu": psu,
         "region": region, "urban": urban, "ethnic": ethnic,
         "hhincome": np.where(rng.random(n) < 0.04, -9, income)}  # noqa: PLR2004
    )[home]  # fmt: skip
    size = np.bincount(home)[home]
    members = [*_members(home, member, rng), pl.Series("hhsize", size)]
    return _as_answered(of_home.with_columns(members), rng)


def _members(home: Longs, member: Longs, rng: np.random.Generator) -> list[pl.Series]:
    """What belongs to a person."""
    n = len(home)
    head = rng.integers(20, 80, n)[home]
    relate = np.select([member == 0, member == 1], [1, 2],
                       rng.choice([3, 4, 5, 6], n, p=[0.8, 0.08, 0.09, 0.03]))  # fmt: skip
    age = np.select(
        [relate == 1, relate == 2, relate == 3, relate == 4],  # noqa: PLR2004  the codes
        [head, head + rng.integers(-5, 6, n), head - rng.integers(18, 38, n),
         head + rng.integers(18, 30, n)], rng.integers(0, 80, n))  # fmt: skip
    age = np.clip(age, 0, 97)
    grown, old = age >= 15, age >= 65  # noqa: PLR2004  years
    years = np.where(grown, np.clip(np.round(rng.normal(9, 4, n)), 0, 18), np.clip(age - 6, 0, 9))
    educ = np.digitize(years, [1, 6, 9, 13])
    marital = np.where(relate <= 2, np.where(rng.random(n) < 0.75, 2, 3),  # noqa: PLR2004
                       rng.choice([1, 4, 5], n, p=[0.75, 0.1, 0.15]))  # fmt: skip
    work = rng.choice([1, 2, 3, 5], n, p=[0.6, 0.1, 0.12, 0.18])
    sex = np.where(rng.random(n) < 0.5, 1, 2)  # noqa: PLR2004  a half
    found = {
        "pernum": member + 1,
        "relate": relate,
        "sex": sex,
        "age": age,
        "marital": np.where(grown, marital, 1),
        "educ": educ,
        "educyrs": years.astype(np.int64),
        "empstat": np.where(~grown, 6, np.where(old, 4, work)),
        "height": _heights(age, sex, rng),
        "disabled": np.where(rng.random(n) < 0.02 + 0.002 * age, 1, 0),
    }
    return [pl.Series(name, values) for name, values in found.items()]


def _heights(age: Longs, sex: Longs, rng: np.random.Generator) -> Longs:
    """Centimetres: children grow until 18."""
    full: Floats = np.where(sex == 1, 174.0, 162.0)
    grown = np.minimum(age / 18, 1)
    return np.asarray(np.round(52 + (full - 52) * grown + rng.normal(0, 6, len(age))), np.int64)


def _as_answered(frame: pl.DataFrame, rng: np.random.Generator) -> pl.DataFrame:
    """The answers as they come in: with codes for what was not said, and a few mistakes."""
    n = frame.height

    def some(share: float) -> pl.Series:
        return pl.Series(rng.random(n) < share)

    silent = {"marital": 0.01, "educ": 0.015, "empstat": 0.02, "disabled": 0.01}
    told = frame.with_columns(
        *(pl.when(some(share)).then(98).otherwise(pl.col(name)).alias(name)
          for name, share in silent.items()),
        height=pl.when(some(0.03)).then(9999).otherwise(pl.col("height")),
        ethnic=pl.when(some(1 / 300)).then(1 + pl.col("ethnic") % 5).otherwise(pl.col("ethnic")),
    ).with_columns(
        educyrs=pl.when(pl.col("educ") == 98).then(98).otherwise(pl.col("educyrs"))  # noqa: PLR2004
    )  # fmt: skip
    return told.select(list(LABELS.columns))
