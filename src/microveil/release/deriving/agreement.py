"""Agreement: how surely a released column determines an original key, measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

SAMPLE = 20_000
"""Rows by which a pair of columns is judged first; it is counted in full if it may agree."""
POSSIBLE = 0.5
"""Agreement beyond chance that a sample must show for the pair to be counted in full."""
CHANCE = 0.01
"""Probability at which unrelated columns would agree as much."""


class Agreement(NamedTuple):
    """How far records with the same value of a column agree in a key."""

    groups_share: float
    """Share of the values, among those of several records, whose records all agree."""
    beyond_chance: float
    """Agreement of two such records, 0 as by chance, 1 if they always agree (Cohen's kappa)."""
    n_repeats: int
    """Records beyond the first of each value."""
    mean_size: float
    """Records by value, on average over all values."""


NONE = Agreement(0.0, 0.0, 0, 0.0)


def measure_agreement(column: pl.Series, codes: pl.Series, chance: float) -> Agreement:
    """How surely a column determines a key; missing cells of either say nothing.

    ``chance`` is the probability that any two records agree. Agreement that may be luck in a small
    table counts as none.

    >>> column, key = pl.Series([1, 1, 2, 2] * 5), pl.Series([7, 7, 8, 8] * 5)
    >>> measure_agreement(column, key, 0.5).beyond_chance
    1.0
    """
    pairs = pl.DataFrame({"value": column, "code": codes}).drop_nulls()
    if chance >= 1 or not _may_agree(pairs, chance):
        return NONE
    return _measure(pairs, chance)


def _may_agree(pairs: pl.DataFrame, chance: float) -> bool:
    """Whether samples leave it possible: some rows, or some values with all their rows."""
    if pairs.height <= 2 * SAMPLE:
        return True
    some = pairs.sample(SAMPLE, seed=pairs.height)
    if _measure(some, chance).n_repeats < SAMPLE // 4:
        some = pairs.filter(pl.col("value").hash(1) % (pairs.height // SAMPLE) == 0)
    return _measure(some, chance).beyond_chance >= POSSIBLE


def _measure(pairs: pl.DataFrame, chance: float) -> Agreement:
    n = pl.col("len").cast(pl.Float64)
    counted = pairs.group_by("value", "code").len()
    groups = counted.group_by("value").agg(
        pl.len().alias("n_codes"),
        n.sum().alias("size"),
        (n * (n - 1)).sum().alias("alike"),
    )
    several = groups.filter(pl.col("size") > 1)
    if not several.height:
        return NONE
    n_records = float(several["size"].sum())
    agreeing = several.filter(pl.col("n_codes") == 1)
    repeats = int(n_records) - several.height
    lucky = int(agreeing["size"].sum()) - agreeing.height
    if lucky * np.log(max(chance, 1e-300)) > np.log(CHANCE):
        return NONE
    alike = float((several["alike"] / (several["size"] - 1)).sum()) / n_records
    beyond = (alike - chance) / (1 - chance)
    return Agreement(
        agreeing.height / several.height, beyond, repeats, pairs.height / groups.height
    )
