"""Averages over 100 runs on the ages of Titanic's passengers, as a UAB thesis (2021) prints them.

Information loss is Σ |x − x'| / (√2 σ), risk the share of ages within 0.2 σ' of the released one.
The thesis's rankSwap is described as swapping only what is not yet swapped, but its numbers are
those of a chain, where every value swaps in its turn (264.88 and 0.2225; disjoint pairs give 220
and 0.229).
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from microveil.methods.additive_noise.step import AdditiveNoise
from microveil.methods.multiplicative_noise import MultiplicativeNoise
from microveil.methods.parts.base import Method
from microveil.methods.rank_swap import RankSwap

Reals = NDArray[np.float64]

RUNS = 100
AGES = pl.read_csv(Path(__file__).parents[1] / "data" / "titanic_age.csv").drop_nulls()


def loss(before: Reals, after: Reals) -> float:
    return float(np.abs(before - after).sum() / (np.sqrt(2) * before.std(ddof=1)))


def risk(before: Reals, after: Reals) -> float:
    return float((np.abs(before - after) <= 0.2 * after.std(ddof=1)).mean())


def mean(_: Reals, after: Reals) -> float:
    return float(after.mean())


def sd(_: Reals, after: Reals) -> float:
    return float(after.std(ddof=1))


QUANTITIES: tuple[Callable[[Reals, Reals], float], ...] = (loss, risk, mean, sd)

PUBLISHED = {
    "additive": (AdditiveNoise(columns="age", sd_share=0.2), (80.78, 0.6910, 29.72, 14.81)),
    "multiplicative": (
        MultiplicativeNoise(columns="age", sd=0.3, distribution="normal"),
        (247.76, 0.3765, 29.72, 17.58),
    ),
    "rank_swap": (
        RankSwap(columns="age", range_share=0.2, variant="chained"),
        (264.88, 0.2225, 29.6991, 14.5265),
    ),
    "blocks": (
        RankSwap(columns="age", range_share=0.2, variant="blocks"),
        (157.72, 0.4490, 29.6991, 14.5265),
    ),
}


def averages(step: Method) -> tuple[Reals, Reals]:
    """Mean of each quantity over the runs, and its standard error."""
    before = AGES["age"].to_numpy()
    found = []
    for seed in range(RUNS):
        after = step.protect(AGES, seed=seed)["age"].to_numpy()
        found.append([quantity(before, after) for quantity in QUANTITIES])
    runs = np.array(found)
    return runs.mean(axis=0), runs.std(axis=0, ddof=1) / np.sqrt(RUNS)


def test_the_file_is_the_one_of_the_thesis() -> None:
    ages = AGES["age"].to_numpy()
    assert len(ages) == 714
    assert ages.mean() == pytest.approx(29.6991, abs=5e-5)
    assert ages.std(ddof=1) == pytest.approx(14.5265, abs=5e-5)


@pytest.mark.parametrize("name", list(PUBLISHED))
def test_averages_are_the_published_ones_within_sampling_error(name: str) -> None:
    step, published = PUBLISHED[name]
    ours, error = averages(step)
    # Both are averages of as many runs; the last printed digit is rounded.
    margin = 4 * np.sqrt(2) * error + np.array([0.005, 0.00005, 0.005, 0.005])
    assert (np.abs(ours - published) < margin).all()


def test_disjoint_pairs_cost_less_than_a_chain_at_the_same_risk() -> None:
    ours, error = averages(RankSwap(columns="age", range_share=0.2))
    assert ours[0] == pytest.approx(220.4, abs=5 * error[0])
    assert ours[1] == pytest.approx(0.2225, abs=5 * error[1])
