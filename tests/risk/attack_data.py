"""Tables that attacks are tried on."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import polars as pl

ADULT = Path(__file__).parents[1] / "data" / "adult" / "adult.parquet"


def parts(seed: int, *sizes: int) -> list[pl.DataFrame]:
    """Disjoint random parts of Adult."""
    frame = pl.read_parquet(ADULT).sample(fraction=1, shuffle=True, seed=seed)
    ends = np.cumsum([0, *sizes])
    return [frame[int(a) : int(b)] for a, b in itertools.pairwise(ends)]


def people(seed: int, n: int) -> pl.DataFrame:
    """People of whom hardly two are alike."""
    rng = np.random.default_rng(seed)
    height = rng.normal(170, 10, n)
    return pl.DataFrame(
        {
            "height": height,
            "weight": 0.9 * (height - 100) + rng.normal(0, 8, n),
            "income": rng.lognormal(10, 0.6, n),
            "town": rng.choice(list("abcdefgh"), n),
            "ill": rng.choice(["flu", "cough", "none"], n, p=[0.2, 0.3, 0.5]),
        }
    )


def noisy(frame: pl.DataFrame, share: float, seed: int) -> pl.DataFrame:
    """Each column with a share of its cells permuted among each other."""
    rng = np.random.default_rng(seed)
    columns = []
    for column in frame:
        places = np.flatnonzero(rng.random(len(column)) < share)
        order = np.arange(len(column))
        order[places] = rng.permutation(places)
        columns.append(column[order])
    return pl.DataFrame(columns)
