"""Where a release stands: the best attack against it, and what it lost."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.studies.frontier import scoring
from microveil.studies.frontier.scoring import standing

RNG = np.random.default_rng(0)
NUMBERS = mv.Table(
    pl.DataFrame({"x": RNG.normal(size=60), "y": RNG.normal(size=60)}),
    mv.Roles(quasi_identifiers=["x", "y"]),
)


def test_a_table_that_stays_as_it_is_loses_nothing_and_hides_nobody() -> None:
    step = mv.AdditiveNoise(columns=["x", "y"], sd_share=0.1)
    found = standing(NUMBERS, NUMBERS, step, numbers=True)
    assert (found.risk, found.loss) == (1.0, 0.0)


def test_the_attack_that_succeeds_most_counts() -> None:
    step = mv.RankSwap(columns=["x", "y"], range_share=0.1)
    released = step.apply(NUMBERS, np.random.default_rng(1)).table
    risks = dict(scoring._risks(NUMBERS, released, step))
    assert set(risks) == {"record_linkage", "intersection_attack", "identity_disclosure"}
    found = standing(NUMBERS, released, step, numbers=True)
    assert found.risk == max(risks.values())
    assert "_" not in found.attack
    assert found.loss > 0


def test_removed_records_are_not_found_and_count_as_lost() -> None:
    step = mv.AdditiveNoise(columns=["x", "y"], sd_share=0.1)
    half = NUMBERS.take(np.arange(30))
    found = standing(NUMBERS, half, step, numbers=True)
    assert found.risk == pytest.approx(0.5)
    assert found.loss == pytest.approx(
        0.5 * np.mean([scoring._by_chance(NUMBERS.frame[n].to_numpy()) for n in ("x", "y")])
    )


def test_coarse_but_true_records_are_matched_by_their_class() -> None:
    table = mv.Table(pl.DataFrame({"x": ["a", "a", "b", "b"]}), mv.Roles(quasi_identifiers=["x"]))
    assert scoring._risks(table, table, mv.Mondrian(k=2)) == [("class sizes", 0.5)]


def test_another_record_in_its_place_is_a_mean_difference_away() -> None:
    values = np.array([1.0, 2.0, 4.0, 8.0])
    pairs = np.abs(values[:, None] - values[None, :]).mean()
    assert scoring._by_chance(values) == pytest.approx(pairs / (np.sqrt(2) * values.std(ddof=1)))
    assert scoring._by_chance(np.ones(4)) == 0
