import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import shape_of, summed_axes
from microveil.synthesis.private.propagation import Propagation
from tests.synthesis.private.cases import SIZES, Floats


@given(
    st.lists(
        st.sets(st.integers(0, 3), min_size=1, max_size=3).map(lambda one: tuple(sorted(one))),
        min_size=1,
        max_size=5,
        unique=True,
    ),
    st.integers(0, 100),
)
def test_propagation_equals_adding_up_the_whole_table(relations: list[Clique], seed: int) -> None:
    rng = np.random.default_rng(seed)
    factors = {one: rng.random(shape_of(SIZES, one)) + 0.01 for one in relations}
    whole = np.ones(SIZES)
    for columns, factor in factors.items():
        whole = whole * factor.reshape([SIZES[i] if i in columns else 1 for i in range(4)])
    propagation = Propagation(SIZES, relations)
    log_total = propagation.calibrate(factors)
    assert log_total == pytest.approx(np.log(whole.sum()))
    for columns in relations:
        expected = whole.sum(axis=summed_axes((0, 1, 2, 3), columns)) / whole.sum()
        assert propagation.marginal(columns) == pytest.approx(expected)


def test_tiny_factors_neither_vanish_nor_slow_down() -> None:
    relations: list[Clique] = [(0, 1), (1, 2), (2, 3), (0, 3)]
    factors: dict[Clique, Floats] = {one: np.full(shape_of(SIZES, one), 1e-90) for one in relations}
    propagation = Propagation(SIZES, relations)
    log_total = propagation.calibrate(factors)
    assert log_total == pytest.approx(np.log(48) + 4 * np.log(1e-90))
