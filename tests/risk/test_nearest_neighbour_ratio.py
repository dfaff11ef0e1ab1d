from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.risk.nearest_neighbour_ratio import NearestNeighbourRatio
from tests.risk.attack_data import people


def test_ratios_are_those_of_a_scan() -> None:
    rng = np.random.default_rng(1)
    before, after = rng.random(30), rng.random(25)
    score = NearestNeighbourRatio().measure({"x": before}, {"x": after})
    distances = np.sort(np.abs(after[:, None] - before), axis=1)
    assert score.records is not None
    assert score.records == pytest.approx(distances[:, 0] / distances[:, 1])
    assert score.parts["median"] == pytest.approx(np.median(score.records))


def test_a_copy_of_a_twin_is_a_copy() -> None:
    before = pl.DataFrame({"x": [1.0, 1.0, 5.0, 9.0]})
    score = NearestNeighbourRatio().measure(before, {"x": [1.0, 5.0]})
    assert score.records is not None
    assert score.records.tolist() == [0, 0]
    twins = people(1, 200)
    twins = pl.concat([twins.head(100), twins.head(20), twins.tail(80)])
    assert NearestNeighbourRatio().measure(twins, twins).value > 0.95
    pairs = pl.concat([twins.head(50)] * 2)  # equal to somebody is usual here
    assert NearestNeighbourRatio().measure(pairs, pairs).value == 0


def test_rows_of_one_person_do_not_hide_a_copy() -> None:
    once = people(1, 100).with_row_index("who")
    thrice = pl.concat([once] * 3)
    roles = mv.Roles(entity="who")
    one, three = (NearestNeighbourRatio().measure(x, x, roles=roles).value for x in (once, thrice))
    assert one == three > 0.9


def test_a_copy_of_some_stands_out_by_as_many() -> None:
    original, control, others = (people(seed, 1000) for seed in (1, 2, 3))
    released = pl.concat([original.head(300), others.head(700)])
    score = NearestNeighbourRatio().measure(original, released, control=control)
    assert score.value == pytest.approx(0.3, abs=0.05)


def test_two_people_have_no_usual_ratio() -> None:
    score = NearestNeighbourRatio().measure({"x": [1.0, 2.0]}, {"x": [1.0]})
    assert score.value == 0
    assert score.interval is None
