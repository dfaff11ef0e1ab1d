"""A hospital's discharge file: stays, several per patient, with the dirt such files have."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from microveil.arrays import Flags, Longs
from microveil.files import WriteOptions

CSV = WriteOptions(separator=";", encoding="iso-8859-1", decimal=",")
"""As Spanish hospitals export: semicolons, Latin-1, decimal commas."""
TOWNS = ("Alcorcón", "Fuenlabrada", "Getafe", "Leganés", "Madrid", "Móstoles", "Pinto", "Parla")
WARDS = {
    "Cardiología": ("I10", "I20.0", "I21.4", "I48.0", "I50.1", "I63.9"),
    "Neumología": ("J18.9", "J44.0", "J44.1", "J45.9", "J96.0"),
    "Traumatología": ("S42.2", "S52.5", "S72.0", "S72.1", "M16.1", "M17.1"),
    "Oncología": ("C18.7", "C34.1", "C50.9", "C61", "C78.0"),
    "Psiquiatría": ("F10.2", "F20.0", "F31.9", "F32.2"),
    "Obstetricia": ("O34.2", "O42.0", "O80", "O82"),
    "Medicina interna": ("A41.9", "E11.9", "K35.8", "K80.2", "N17.9", "N39.0"),
}
"""Wards, and the diagnoses that are treated there (ICD-10)."""
OUTCOMES = ("alta", "traslado", "éxitus")
_FIRST_DAY, _LAST_DAY = np.datetime64("2022-01-01"), np.datetime64("2023-12-31")


def discharge(n: int, seed: int = 0) -> pl.DataFrame:
    """Stays in a hospital: who (a record number), when, why, and what it cost.

    A patient has one stay or several; sex, birth and postcode belong to the patient. Dates are text
    in the order of Spain, dd/mm/yyyy. One in a hundred births is dirt: empty, a year alone, two
    digits of the year, a day that does not exist, or 01/01/1900. Some episodes were entered twice.

    >>> discharge(3).columns[:5]
    ['episode', 'patient', 'birth', 'sex', 'postcode']
    """
    rng = np.random.default_rng(seed)
    who = np.sort(_patients(n, rng))
    n_patients = int(who.max()) + 1
    ward, code, woman, age = _illness(n_patients, who, rng)
    admitted = _FIRST_DAY + rng.integers(0, 720, n).astype("timedelta64[D]")
    nights = np.minimum(rng.geometric(0.18, n), 90)
    left = np.minimum(admitted + nights.astype("timedelta64[D]"), _LAST_DAY)
    birth = _births(age, rng).gather(who)
    episode = 410_000 + np.arange(n)
    twice = rng.random(n) < 0.002  # noqa: PLR2004  a share
    episode[1:][twice[1:]] = episode[:-1][twice[1:]]
    home = _postcodes(n_patients, rng)
    cost = np.round(rng.lognormal(6.4, 0.5, n) * (1 + nights / 4), 2)
    frame = pl.DataFrame(
        {
            "episode": episode,
            "patient": pl.Series(_record_numbers(n_patients, rng)).gather(who),
            "birth": birth,
            "sex": np.where(woman, "M", "H")[who],
            "postcode": pl.Series(home[0]).gather(who),
            "town": pl.Series(TOWNS).gather(home[1]).gather(who),
            "admission": _spanish(admitted),
            "discharge": _spanish(left),
            "ward": pl.Series(list(WARDS)).gather(ward),
            "icd10": code,
            "outcome": rng.choice(OUTCOMES, n, p=[0.93, 0.04, 0.03]),
            "cost": cost,
        }
    )
    return frame[rng.permutation(n)]


def _patients(n: int, rng: np.random.Generator) -> Longs:
    """The patient of each stay, counted from 0: most have one stay, a few a dozen."""
    stays = np.minimum(rng.geometric(0.55, n), 12)
    return np.asarray(np.repeat(np.arange(n), stays)[:n])


def _illness(
    n_patients: int, who: Longs, rng: np.random.Generator
) -> tuple[Longs, pl.Series, Flags, Longs]:
    """Ward and diagnosis of each stay; sex and age of each patient, which go with them."""
    usual = rng.choice(len(WARDS), n_patients, p=[0.18, 0.14, 0.2, 0.1, 0.06, 0.12, 0.2])
    birth_giving = list(WARDS).index("Obstetricia")
    woman = (rng.random(n_patients) < 0.5) | (usual == birth_giving)  # noqa: PLR2004  a half
    age = np.clip(rng.normal(62, 19, n_patients), 0, 101).astype(np.int64)
    age = np.where(usual == birth_giving, rng.integers(18, 46, n_patients), age)
    same = rng.random(len(who)) < 0.8  # noqa: PLR2004  most come back for the same
    inner = len(WARDS) - 1
    ward = np.where(same, usual[who], inner)
    codes = list(WARDS.values())
    picked = [codes[one][int(part * len(codes[one]))]
              for one, part in zip(ward, rng.random(len(who)), strict=True)]  # fmt: skip
    return ward, pl.Series(picked), woman, age


def _births(age: Longs, rng: np.random.Generator) -> pl.Series:
    """Dates of birth as text, some of them dirt."""
    days = (age * 365.25).astype(np.int64) + rng.integers(0, 365, len(age))
    born = np.maximum(_FIRST_DAY - days.astype("timedelta64[D]"), np.datetime64("1915-01-01"))
    text = _spanish(born).to_list()
    dirty = np.flatnonzero(rng.random(len(age)) < 0.01)  # noqa: PLR2004  a share
    kind = rng.integers(0, 5, len(dirty))
    for place, how in zip(dirty, kind, strict=True):
        day = text[place]
        text[place] = (None, day[-4:], day[:6] + day[-2:], f"31/02/{day[-4:]}", "01/01/1900")[how]
    return pl.Series(text)


def _postcodes(n: int, rng: np.random.Generator) -> tuple[list[str], Longs]:
    """Postcode and town of each patient; a town has a handful of postcodes."""
    town = rng.choice(len(TOWNS), n, p=[0.1, 0.12, 0.2, 0.16, 0.12, 0.15, 0.05, 0.1])
    area = np.minimum(rng.geometric(0.35, n), 6)
    return [f"28{900 + 10 * one + two}" for one, two in zip(town, area, strict=True)], town


def _record_numbers(n: int, rng: np.random.Generator) -> list[str]:
    """Numbers of case records: unique, in no order."""
    drawn = rng.choice(9_000_000, n, replace=False) + 1_000_000
    return [f"NHC{number}" for number in drawn]


def _spanish(days: NDArray[np.datetime64]) -> pl.Series:
    return pl.Series(days).cast(pl.Date).dt.to_string("%d/%m/%Y")
