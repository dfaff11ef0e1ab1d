"""sdcMicro 5.8.1's recordSwap on 300 households (``tests/data/trs``): their file beside ours.

Their random numbers cannot be repeated. Their result shows the parameters: places of ``nuts1`` and
``nuts2``, partners of the same size, and all 105 households with a person who is alone with
age group and nationality in ``nuts2`` were moved.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.methods.swap_records.step import SwapRecords
from microveil.tables import Table

DATA = Path(__file__).parents[1] / "data" / "trs"
STEP = SwapRecords(
    hierarchy=["nuts1", "nuts2"],
    household="hid",
    similar=["hsize"],
    swap_share=0.05,
    k=2,
    risk_columns=["ageGroup", "national"],
)
N_SWAPPED = 158
N_AT_RISK = 105
MEAN_DIFFERENCE = 2.04210526315789
"""Theirs, over the cells and margins of nuts2 × national."""


@pytest.fixture(scope="module")
def before() -> pl.DataFrame:
    return pl.read_csv(DATA / "trs_dat300.csv")


@pytest.fixture(scope="module")
def runs(before: pl.DataFrame) -> list[Any]:
    return [STEP.apply(Table(before), np.random.default_rng(seed)) for seed in range(25)]


def mean_difference(before: pl.DataFrame, after: pl.DataFrame) -> float:
    """Mean absolute change of the counts by nuts2, by national, and by both."""
    differences = []
    for columns in (["nuts2", "national"], ["nuts2"], ["national"]):
        counts = [frame.group_by(columns).len() for frame in (before, after)]
        both = counts[0].join(counts[1], on=columns, how="full", coalesce=True).fill_null(0)
        differences.append((both["len"].cast(pl.Int64) - both["len_right"].cast(pl.Int64)).abs())
    return float(pl.concat(differences).to_numpy().mean())


def test_their_loss_is_measured_as_they_measure_it(before: pl.DataFrame) -> None:
    theirs = pl.read_csv(DATA / "trs_dat300_swapped.csv")
    assert mean_difference(before, theirs) == pytest.approx(MEAN_DIFFERENCE, rel=1e-12)


def test_the_households_at_risk_are_theirs(before: pl.DataFrame, runs: list[Any]) -> None:
    assert runs[0].facts["n_at_risk"] == {"nuts1": 0, "nuts2": N_AT_RISK}
    theirs = pl.read_csv(DATA / "trs_dat300_swapped.csv")
    alone = before.with_columns(n=pl.len().over("ageGroup", "national", "nuts1", "nuts2") == 1)
    homes = alone.filter("n")["hid"].unique().to_list()
    assert len(homes) == N_AT_RISK
    ours = runs[0].table.frame
    for after in (theirs, ours):
        moved = after.filter(after["nuts2"] != before["nuts2"])["hid"].unique().to_list()
        assert set(homes) <= set(moved)


def test_as_many_households_swap_as_theirs(runs: list[Any]) -> None:
    swapped = [run.facts["n_swapped"] for run in runs]
    # Pairs of two at risk need one move less; that chance makes a run vary by about 5.
    assert abs(np.mean(swapped) - N_SWAPPED) < 3 * np.std(swapped)
    assert all(run.facts["n_unmatched"] == {"nuts1": 0, "nuts2": 0} for run in runs)


def test_tables_change_no_more_than_theirs(before: pl.DataFrame, runs: list[Any]) -> None:
    losses = [mean_difference(before, run.table.frame) for run in runs]
    assert np.mean(losses) < MEAN_DIFFERENCE + 2 * np.std(losses)
    assert np.mean(losses) > MEAN_DIFFERENCE / 2


def test_people_and_households_of_each_area_stay_as_they_do_there(
    before: pl.DataFrame, runs: list[Any]
) -> None:
    theirs = pl.read_csv(DATA / "trs_dat300_swapped.csv")
    kept = before.group_by("nuts2", "hsize").len().sort("nuts2", "hsize")
    for after in (theirs, *(run.table.frame for run in runs)):
        assert after.group_by("nuts2", "hsize").len().sort("nuts2", "hsize").equals(kept)
