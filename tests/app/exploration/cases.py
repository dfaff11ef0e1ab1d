"""Recipes and people that tests of explorations share."""

from __future__ import annotations

from typing import Literal

import numpy as np
import polars as pl

import microveil as mv
from microveil.methods import Method, Outcome
from microveil.tables import Table

KEYS = mv.Roles(quasi_identifiers=["age", "sex"], insensitive=["pay"])
SUPPRESS = mv.Recipe(
    roles=KEYS,
    steps=[mv.Round(columns=["age"], base=2), mv.SuppressRecords(k=2)],
    require=[mv.KAnonymity(k=2)],
)
NOISE = mv.Recipe(roles=KEYS, steps=[mv.AdditiveNoise(columns=["pay"], sd_share=0.1)])
K_GRID = {"steps.1.k+require.0.k": [2, 5, 10]}
SECRET = "Rarissima"


def people(n_records: int = 300) -> pl.DataFrame:
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, n_records),
            "sex": rng.choice(["f", "m"], n_records),
            "pay": rng.lognormal(3, 1, n_records),
        }
    )


FRAME = people()


def numbers(found: mv.Exploration) -> pl.DataFrame:
    """All of the table but the time it took."""
    return found.frame.drop("seconds")


class Explode(Method):
    """Fail in a way nobody expects."""

    method: Literal["explode"] = "explode"

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  it fails first
        raise ValueError(SECRET)
