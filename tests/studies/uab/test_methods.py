"""Averages over runs, and what chance leaves of the difference from the thesis' own."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.studies.uab.methods import Averages, averages, methods

FRAME = pl.DataFrame({"x": np.random.default_rng(0).gamma(2.0, 10.0, 200)})


def test_swapping_keeps_the_moments_and_noise_does_not() -> None:
    swapped = averages("ages", FRAME, "rank swap", 3)
    noisy = averages("ages", FRAME, "additive noise", 3)
    assert swapped.mean["mean"] == pytest.approx(FRAME["x"].mean())
    assert swapped.mean["sd"] == pytest.approx(FRAME["x"].std())
    assert swapped.error("mean") == 0
    assert noisy.error("mean") > 0
    assert 0 < noisy.mean["risk"] <= 1
    assert noisy.mean["il1s"] > 0
    assert noisy.n_runs == 3


def test_runs_repeat_and_one_run_has_no_deviation() -> None:
    one, two = (averages("ages", FRAME, "permutation", 1) for _ in range(2))
    assert one.mean["il1s"] == two.mean["il1s"]
    assert set(one.deviation.values()) == {0.0}


def test_an_average_of_one_draw_has_the_chance_of_that_draw() -> None:
    found = Averages("ages", "additive noise", 100, {"il1s": 80.0}, {"il1s": 2.0})
    assert found.error("il1s") == pytest.approx(2 * np.sqrt(1 / 100 + 1 / 100))
    assert found.error("il1s", theirs=1) == pytest.approx(2 * np.sqrt(1 / 100 + 1))


def test_all_methods_change_the_column_named() -> None:
    assert {step.columns for step in methods("pay").values()} == {("pay",)}  # type: ignore[attr-defined]
