from __future__ import annotations

import numpy as np
import pytest

from microveil.kernels.synthesis.boost import RIDGE, Boosting, Ensemble, boost, log_odds
from microveil.kernels.synthesis.grow_tree import Growth


def naive_log_odds(ensemble: Ensemble, record: list[int]) -> float:
    total = ensemble.base
    for root in ensemble.roots:
        node = int(root)
        while ensemble.feature[node] >= 0:
            above = record[ensemble.feature[node]] > ensemble.threshold[node]
            node = int(ensemble.left[node]) + above
        total += float(ensemble.value[node])
    return total


def problem(n: int = 2000) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.uint8]], ...]:
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 50, (3, n)).astype(np.uint8)
    odds = np.where(levels[0] > 25, 2.0, -1.0) + levels[1] / 25
    answers = (rng.random(n) < 1 / (1 + np.exp(-odds))).astype(np.float64)
    return levels, answers, odds


def test_the_log_odds_are_the_sum_of_the_leaves_a_record_falls_into() -> None:
    levels, answers, _ = problem(300)
    fitted = boost(levels, answers.astype(float), Boosting(5, 0.3, Growth(5, 0.0, 3)))
    assert len(fitted.roots) == 5
    found = log_odds(fitted, levels)
    expected = [naive_log_odds(fitted, levels[:, i].tolist()) for i in range(300)]
    assert found == pytest.approx(expected)


def test_one_round_takes_a_newton_step_by_hand() -> None:
    levels = np.array([[0, 0, 0, 1, 1]], dtype=np.uint8)
    answers = np.array([0.0, 0.0, 1.0, 1.0, 1.0])
    fitted = boost(levels, answers, Boosting(1, 0.5, Growth(1, 0.0, 1)))
    share = 3.5 / 6
    base = np.log(share / (1 - share))
    information = share * (1 - share)
    low = base + 0.5 * (1 - 3 * share) / (3 * information + RIDGE)
    high = base + 0.5 * (2 - 2 * share) / (2 * information + RIDGE)
    assert log_odds(fitted, levels) == pytest.approx([low] * 3 + [high] * 2)


def test_chances_come_near_the_true_ones() -> None:
    levels, answers, odds = problem(20_000)
    fitted = boost(levels, answers.astype(float), Boosting(30, 0.2, Growth(50, 0.0, 3)))
    truth, found = (1 / (1 + np.exp(-one)) for one in (odds, log_odds(fitted, levels)))
    assert np.abs(truth - found).mean() < 0.03


def test_what_nothing_explains_has_the_odds_of_its_share() -> None:
    levels = np.zeros((1, 100), dtype=np.uint8)
    fitted = boost(levels, np.repeat([0.0, 1.0], [75, 25]), Boosting(10, 0.3, Growth(5)))
    assert len(fitted.roots) == 0
    assert log_odds(fitted, levels) == pytest.approx(np.log(25.5 / 75.5))
