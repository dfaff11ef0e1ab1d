from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import microveil as mv
from microveil.synthesis.parts.grids import FEW, decimals_of, whole_grid


@pytest.mark.parametrize("step", [1, 7, 50, 86_400])
@pytest.mark.parametrize("n_off", [0, 1, FEW - 1])
@pytest.mark.parametrize("phase", [0, 3])
def test_a_grid_of_whole_numbers_is_what_all_but_a_few_keep_to(
    step: int, n_off: int, phase: int
) -> None:
    rng = np.random.default_rng(step + n_off)
    offsets = step * rng.integers(0, 400, 300) + phase
    off = rng.choice(300, n_off, replace=False)
    offsets[off] = 10**9 + 1 + np.arange(n_off)
    assert whole_grid(offsets) == (step, phase % step)


def test_what_five_records_write_belongs_to_the_grid() -> None:
    offsets = np.arange(300) * 50
    offsets[:FEW] += 1
    assert whole_grid(offsets) == (1, 0)


def test_a_short_column_keeps_every_digit() -> None:
    assert whole_grid(np.array([0, 50, 101])) == (1, 0)
    assert decimals_of(np.array([1.5, 2.25, 3.0]), single=False) == 2


@pytest.mark.parametrize("odd", [0.12345, 1e15 / 3])
def test_decimals_are_what_all_but_a_few_have(odd: float) -> None:
    numbers = np.append(np.round(np.random.default_rng(0).random(200) * 1000, 1), odd)
    assert decimals_of(numbers, single=False) == 1
    assert decimals_of(np.random.default_rng(0).random(200), single=False) is None


@pytest.mark.parametrize("generator", ["cart", "copula", "marginals"])
@pytest.mark.parametrize("odd", [987_654_321, -987_654_321])
def test_the_unit_of_one_number_does_not_show_that_it_was_there(generator: str, odd: int) -> None:
    pay = np.random.default_rng(0).integers(100, 400, 500) * 100
    frame = pl.DataFrame({"pay": [*pay.tolist(), odd], "sex": ["f", "m", "f"] * 167})
    drawn = mv.Synthesizer(generator=generator).fit(frame, seed=1).sample(500, seed=2)["pay"]
    assert (drawn % 100 == 0).all()
    assert drawn.is_between(10_000, 39_900).all()
