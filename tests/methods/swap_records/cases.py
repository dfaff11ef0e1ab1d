"""Households in places, and the step that swaps them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from hypothesis import strategies as st

from microveil.methods.swap_records.step import SwapRecords
from microveil.tables import Roles, Table

PLACE = ["region", "town", "grid"]


def people(n_households: int, seed: int, most: int = 4) -> pl.DataFrame:
    """Households in towns of regions, with a grid cell that belongs to the place."""
    rng = np.random.default_rng(seed)
    size = rng.integers(1, most, n_households)
    home = np.repeat(np.arange(n_households), size)
    region = rng.integers(0, 3, n_households)
    town = 10 * region + rng.integers(0, 3, n_households)
    return pl.DataFrame(
        {
            "region": region[home],
            "town": town[home],
            "grid": town[home] * 1000 + home,
            "home": home,
            "rooms": rng.integers(1, 4, n_households)[home],
            "sex": rng.integers(0, 2, len(home)),
            "age": rng.integers(0, 5, len(home)),
        },
        schema_overrides=dict.fromkeys(["region", "town", "grid", "home", "rooms"], pl.Int64),
    )


def counts(frame: pl.DataFrame, *columns: str) -> dict[Any, int]:
    return {row[:-1]: row[-1] for row in frame.group_by(columns).len().iter_rows()}


def step(**fields: Any) -> SwapRecords:
    defaults = {"hierarchy": ["region", "town"], "household": "home", "carry_along": ["grid"]}
    return SwapRecords(**(defaults | fields))


def outcome(method: SwapRecords, frame: pl.DataFrame, seed: int = 1, **roles: Any) -> Any:
    return method.apply(Table(frame, Roles(**roles)), np.random.default_rng(seed))


tables = st.builds(people, st.integers(8, 60), st.integers(0, 2**32))


steps = st.builds(
    step,
    similar=st.sampled_from([(), ["rooms"], [["rooms", "sex"], ["rooms"]]]),
    swap_share=st.floats(0.05, 1),
    k=st.sampled_from([None, 2, 3]),
    risk_columns=st.just(["sex", "age"]),
)


def fitting(method: SwapRecords, frame: pl.DataFrame) -> pl.DataFrame:
    """Profiles need columns of the household: the first member's sex stands for all."""
    named = any("sex" in profile for profile in method.similar)
    return frame.with_columns(pl.col("sex").first().over("home")) if named else frame
