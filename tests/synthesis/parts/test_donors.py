from __future__ import annotations

import numpy as np

from microveil.synthesis.parts.donors import draw_rows


def test_rows_are_drawn_from_all_of_them() -> None:
    drawn = draw_rows(400, 5, None, np.random.default_rng(0))
    assert set(drawn.tolist()) == set(range(5))


def test_rows_are_drawn_by_weight_and_never_without_one() -> None:
    weights = np.array([0.0, 1.0, 0.0, 3.0, 0.0])
    drawn = draw_rows(4000, 5, weights, np.random.default_rng(0))
    counts = np.bincount(drawn, minlength=5)
    assert counts[[0, 2, 4]].sum() == 0
    assert abs(counts[3] - 3000) < 4 * np.sqrt(4000 * 0.75 * 0.25)


def test_nothing_is_drawn_when_nothing_is_asked_for() -> None:
    assert draw_rows(0, 5, np.ones(5), np.random.default_rng(0)).tolist() == []
