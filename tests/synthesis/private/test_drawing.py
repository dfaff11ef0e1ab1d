import numpy as np
import pytest

from microveil.synthesis.private.drawing import draw_records
from microveil.synthesis.private.marginals import shape_of
from tests.synthesis.private.cases import SIZES, coded_table, model_of


def test_drawn_records_meet_the_cliques_but_for_rounding() -> None:
    model = model_of(coded_table(), [(0, 1), (1, 2)])
    records = draw_records(model, 5000, np.random.default_rng(1))
    for pair in [(0, 1), (1, 2)]:
        found = records.counts(pair).reshape(shape_of(SIZES, pair))
        expected = 5000 * model.propagation.marginal(pair)
        assert found == pytest.approx(expected, abs=4.0)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_records_can_be_drawn(n: int) -> None:
    records = draw_records(model_of(coded_table(), [(0, 1)]), n, np.random.default_rng(1))
    assert records.n_records == n
    assert all((records.codes[column] < SIZES[column]).all() for column in range(4))
