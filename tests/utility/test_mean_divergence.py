from __future__ import annotations

import pytest

from microveil.utility.mean_divergence import MeanDivergence


def test_mean_divergence_is_the_course_s() -> None:
    before = {
        "v1": [1, 0, 3, 2, 3],
        "v2": [33.4, 28.9, 10.3, 80.0, 59.0],
        "v3": [1000, 1010, 922, 20200, 15320],
    }
    near = {
        "v1": [0, 0, 2, 3, 2],
        "v2": [30.2, 31.2, 12.0, 82.1, 55.2],
        "v3": [1000, 1000, 1000, 20000, 15000],
    }
    far = {
        "v1": [0, 0, 2, 2, 2],
        "v2": [40.0, 20.0, 20.0, 70.0, 50.0],
        "v3": [900, 1000, 900, 20000, 20000],
    }
    assert MeanDivergence().measure(before, near).value == pytest.approx(2563.01, abs=0.005)
    assert MeanDivergence().measure(before, far).value == pytest.approx(2722.62, abs=0.005)
    itself = MeanDivergence(excess=True).measure(before, before)
    assert itself.value == 0
    assert itself.parts["div_avg"] == itself.parts["of_itself"] > 0


def test_cells_missing_on_either_side_are_left_out() -> None:
    score = MeanDivergence().measure({"x": [1.0, None, 7.0]}, {"x": [3.0, 5.0, None]})
    assert (score.value, score.parts["excess"]) == (2, 1)
