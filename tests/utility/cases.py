"""Tables that tests of several measures share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from hypothesis import strategies as st

DATA = Path(__file__).parents[1] / "data"

codes = st.lists(st.sampled_from(["aa", "ab", "ba", "bb", "bc"]), min_size=2, max_size=25)


def people(n: int, seed: int) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    town = rng.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1])
    pay = 20 + age * 0.5 + (town == "a") * 10 + rng.normal(0, 5, n)
    ill = np.where(age + rng.normal(0, 10, n) > 55, "yes", "no")
    return pl.DataFrame({"age": age, "town": town, "pay": pay, "ill": ill})


def tarragona() -> tuple[pl.DataFrame, pl.DataFrame]:
    folder = DATA / "casc"
    before = pl.read_csv(folder / "Tarragona.csv").cast(pl.Float64)
    return before, pl.read_csv(folder / "Tarragona_mdav3.csv").cast(pl.Float64)
