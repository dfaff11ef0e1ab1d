"""Releases for the figure tests, and what a chart is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

import microveil as mv
from microveil.risk import Assessment, assess_table
from microveil.scores import Score
from microveil.tables import Roles, Table

RARE = "Rarissima"
EXTREME = 987_654.0


def people(n_records: int = 400) -> pl.DataFrame:
    """People with one rare town and one extreme pay."""
    rng = np.random.default_rng(5)
    return pl.DataFrame(
        {
            "pay": [*rng.lognormal(3, 0.5, n_records - 1), EXTREME],
            "age": rng.integers(20, 80, n_records),
            "town": [*rng.choice(["A", "B", "C"], n_records - 1), RARE],
        }
    )


def noisy(sd_share: float = 0.2) -> mv.Release:
    """People whose numbers got noise."""
    recipe = mv.Recipe(
        steps=[mv.AdditiveNoise(columns=["pay", "age"], sd_share=sd_share)], undeclared="keep"
    )
    return mv.run(recipe, people(), seed=1)


def coarse() -> mv.Release:
    """People whose keys became ranges."""
    roles = mv.Roles(quasi_identifiers=["age", "town"])
    return mv.run(mv.Recipe(roles=roles, steps=[mv.Mondrian(k=20)]), people(), seed=1)


def rows_of(chart: Any) -> list[dict[str, Any]]:
    """All rows of data that stand in a chart."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def assessed(values: list[Any]) -> Assessment:
    """The risk of a table with one key."""
    frame = pl.DataFrame({"town": pl.Series(values, dtype=pl.String)})
    return assess_table(Table(frame, Roles(quasi_identifiers=["town"])))


def kept(**shares: float) -> Score:
    """A score that says which share of each column was kept."""
    return Score("cell_changes", 0.0, parts={"kept": shares})


BEFORE = assessed([*"aaaaaaaaaaaab", "c"])
AFTER = assessed(["a"] * 14)
