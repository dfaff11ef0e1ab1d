import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.synthesis.private.descent import minimise
from tests.synthesis.private.cases import Floats


@given(st.integers(0, 1000))
def test_descent_finds_the_bottom_of_a_bowl(seed: int) -> None:
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(6, 6))
    curvature = roots @ roots.T + 0.1 * np.eye(6)
    bottom = rng.normal(size=6)

    def bowl(x: Floats) -> tuple[float, Floats]:
        return float((x - bottom) @ curvature @ (x - bottom)), 2 * curvature @ (x - bottom)

    assert minimise(bowl, np.zeros(6), 300, 1e-9) == pytest.approx(bottom, abs=1e-3)
