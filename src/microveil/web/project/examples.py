"""Examples: made-up tables to try the app with, one click away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import as_file, files

import numpy as np
import polars as pl

N_PATIENTS = 3_000
N_VIEWS = 5_000

_FIRST = (
    "Ana",
    "Berta",
    "Carles",
    "Dora",
    "Enric",
    "Fina",
    "Gil",
    "Helga",
    "Ivan",
    "Julia",
    "Karim",
    "Lena",
    "Marc",
    "Nuria",
    "Oleg",
    "Pau",
    "Quima",
    "Roser",
    "Siim",
    "Tanja",
)
_LAST = (
    "Abad",
    "Bosch",
    "Camps",
    "Duran",
    "Esteve",
    "Ferrer",
    "Gil",
    "Homs",
    "Ivanov",
    "Jansen",
    "Kask",
    "Lopez",
    "Mas",
    "Nadal",
    "Oja",
    "Puig",
    "Quer",
    "Roca",
    "Sepp",
    "Tamm",
)
_JOBS = ("office", "sales", "teaching", "health", "building", "transport", "farming", "retired")
_DISEASES = ("asthma", "back pain", "depression", "diabetes", "flu", "hypertension", "migraine")


def patients(n: int = N_PATIENTS, seed: int = 2024) -> pl.DataFrame:
    """Made-up patients of a clinic: names, what neighbours know, and what they should not.

    >>> patients(3).columns[:4]
    ['name', 'sex', 'age', 'postcode']
    """
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(47, 18, n), 18, 96).astype(int)
    job = np.where(age >= 66, "retired", rng.choice(_JOBS[:-1], n))  # noqa: PLR2004  pension age
    town = np.minimum(rng.geometric(0.12, n), 40)
    sick = rng.choice(len(_DISEASES), n, p=_shares(len(_DISEASES)))
    return pl.DataFrame(
        {
            "name": [f"{rng.choice(_FIRST)} {rng.choice(_LAST)}" for _ in range(n)],
            "sex": rng.choice(["f", "m"], n),
            "age": age,
            "postcode": [f"08{one:03d}" for one in town],
            "occupation": job,
            "disease": [_DISEASES[one] for one in sick],
            "visits": 1 + rng.poisson(2.2, n) + (age > 60),  # noqa: PLR2004  the old come oftener
            "cost": np.round(60 + rng.gamma(2.0, 90.0, n), 2),
        }
    )


def _shares(n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    weights = 1 / np.arange(1, n + 1)
    shares: np.ndarray[tuple[int], np.dtype[np.float64]] = weights / weights.sum()
    return shares


def views() -> pl.DataFrame:
    """Made-up views of advertisements, several rows for each user."""
    from microveil.studies import ad_views

    return ad_views(N_VIEWS)


def adult() -> pl.DataFrame:
    """The extract of the 1994 census that much of the literature uses as its benchmark."""
    with as_file(files("microveil.studies") / "data" / "adult.parquet") as path:
        return pl.read_parquet(path)


EXAMPLES: Mapping[str, Callable[[], pl.DataFrame]] = {
    "patients": patients,
    "adult": adult,
    "ad_views": views,
}
"""The examples by the name their file would have."""
