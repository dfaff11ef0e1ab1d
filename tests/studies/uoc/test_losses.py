"""Information loss of the course's tables, and what its rounding may change."""

from __future__ import annotations

import numpy as np
import pytest

from microveil.studies.uoc import losses, tables


def test_the_divergence_of_means_comes_out() -> None:
    assert {cell.mark for cell in losses.divergence().cells} == {"equal"}


def test_losses_of_a_table_against_itself_are_none() -> None:
    assert set(losses._losses(tables.EXERCISE).values()) == {0.0}
    found = losses._losses(tables.EXERCISE_2)
    assert set(losses.EXERCISE["X''"]) <= set(found)
    assert found["values_mse"] == pytest.approx(1202.92, abs=0.5)


def test_digits_that_were_rounded_away_change_the_loss_a_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(losses, "N_ROUNDINGS", 10)
    errors = losses._rounding_errors(tables.EXERCISE_1)
    assert 0 < errors["values_mse"] < 0.1
    assert not losses.exercise_2().unexplained_cells()


def test_noise_moves_flowers_by_its_share_of_the_variance() -> None:
    flowers = np.random.default_rng(0).normal(3.0, 2.0, (500, 2))
    moved = losses.noisy(flowers, 0.25, seed=1) - flowers
    assert moved.std() == pytest.approx(0.5 * flowers.std(), rel=0.1)
    assert np.array_equal(losses.noisy(flowers, 0.25, 1), losses.noisy(flowers, 0.25, 1))


def test_a_tree_tells_most_flowers_as_the_course_does() -> None:
    pytest.importorskip("sklearn")
    flowers, species = losses.iris()
    assert flowers.shape == (150, 2)
    tests = np.array([row[:2] for row in losses.TEST_FLOWERS])
    told = losses.told_by_tree(flowers, species, tests)
    printed = [row[2] for row in losses.TEST_FLOWERS]
    assert sum(one == other for one, other in zip(told, printed, strict=True)) == 7
