"""The introduction to privacy models (S1): its table 20, figure 13 and ln 3 come out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import microveil as mv
from microveil import dp

PATIENTS = {"Caracalla": 1, "Nerva": 0, "Commodus": 1, "Trajan": 0, "Hadrian": 0}


DATABASES = {
    "D1": PATIENTS,
    "D2": {"Tiberius": 1, **PATIENTS},
    "D3": {name: sick for name, sick in PATIENTS.items() if name != "Caracalla"},
    "D4": {"Vespasian": 0, **PATIENTS},
}


DECLARED = dp.Declaration.parse({"columns": {"schizophrenia": {"type": "boolean"}}})


QUERY = dp.Count(where="schizophrenia")


def frame(name: str) -> dict[str, list[bool]]:
    return {"schizophrenia": [bool(sick) for sick in DATABASES[name].values()]}


@pytest.mark.parametrize(("name", "count"), [("D1", 2), ("D2", 3), ("D3", 1), ("D4", 2)])
def test_table_20_counts_its_patients(name: str, count: int) -> None:
    assert dp.answer(QUERY, frame(name), DECLARED, 10**9).value == count
    asked = dp.Sum(column="schizophrenia")
    assert dp.answer(asked, frame(name), DECLARED, 10**9).value == count


def test_a_count_has_sensitivity_one_and_noise_of_one_over_epsilon() -> None:
    for epsilon in ("0.1", "0.5", "1", "3"):
        offer = dp.price(QUERY, DECLARED, dp.Loss(epsilon=epsilon))
        assert offer.noises[0].scale == pytest.approx(1 / float(epsilon))
        assert offer.noises[0].distribution == "laplace"


def test_figure_13_shows_the_density_of_the_noise() -> None:
    peaks = {0.1: 0.05, 0.5: 0.25, 1.0: 0.5, 3.0: 1.5}
    points = np.linspace(-200, 200, 400_001)
    for epsilon, peak in peaks.items():
        curve = dp.laplace_density(points, 1 / epsilon)
        assert curve.max() == pytest.approx(peak)
        assert float(curve.sum() * (points[1] - points[0])) == pytest.approx(1, abs=1e-4)
    tails = [float(dp.laplace_density(5.0, 1 / epsilon)) for epsilon in peaks]
    assert all(more > less for more, less in pairwise(tails[1:]))


def test_sequential_and_parallel_composition() -> None:
    half = dp.Loss(epsilon="1/2")
    third = dp.Loss(epsilon="1/3")
    assert half + third == dp.Loss(epsilon="5/6")
    assert half.larger(third) == half
    whole = dp.Loss()
    for _ in range(7):
        whole += third
    assert whole == third * 7


def test_a_sparse_vector_stops_at_the_first_number_that_is_high() -> None:
    assert dp.above_threshold([0, 0, 1000, 2000], 500, 1, 10) == 2
    assert dp.above_threshold([0, 0, 0], 500, 1, 10) is None


def test_noise_of_ones_own_is_scaled_by_what_the_caller_vouches_for() -> None:
    drawn = dp.laplace(np.zeros(3000, dtype=np.int64), 5, 2)
    assert np.abs(drawn).mean() == pytest.approx(2.5, rel=0.15)
    drawn = dp.gaussian(np.zeros(3000, dtype=np.int64), 5, "1/8")
    assert drawn.std() == pytest.approx(10, rel=0.1)
    with pytest.raises(mv.InputError, match="whole numbers"):
        dp.laplace([0.5], 1, 1)
    with pytest.raises(mv.InputError, match="above 0"):
        dp.laplace([1], 0, 1)
    with pytest.raises(mv.InputError, match="two categories"):
        dp.randomized_response(["a"], 1, ["a"])
    with pytest.raises(mv.InputError, match="not one of the categories"):
        dp.randomized_response(["c"], 1, ["a", "b"])
