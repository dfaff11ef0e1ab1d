import numpy as np
import pytest

from microveil.synthesis.private.drawing import draw_records
from microveil.synthesis.private.inference import MarginalModel
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import Measurement, shape_of
from tests.synthesis.private.cases import SIZES, coded_table, model_of


def test_exact_marginals_are_met() -> None:
    table = coded_table()
    model = model_of(table, [(0, 1), (1, 2, 3)])
    for columns in [(0, 1), (1, 2, 3)]:
        expected = table.counts(columns).reshape(shape_of(SIZES, columns))
        assert model.counts(columns) == pytest.approx(expected, abs=2.0)


def test_what_was_not_measured_is_independent() -> None:
    model = model_of(coded_table(), [(0, 1)])
    records = draw_records(model, 4000, np.random.default_rng(0))
    for pair in [(0, 2), (1, 3), (2, 3)]:
        table = records.counts(pair).reshape(shape_of(SIZES, pair)) / 4000
        alone = np.multiply.outer(table.sum(axis=1), table.sum(axis=0))
        assert np.abs(table - alone).sum() < 0.06


def test_a_cycle_of_relations_is_met() -> None:
    table = coded_table()
    pairs: list[Clique] = [(0, 1), (1, 3), (2, 3), (0, 2)]
    model = model_of(table, pairs)
    for pair in pairs:
        expected = table.counts(pair).reshape(shape_of(SIZES, pair))
        assert model.counts(pair) == pytest.approx(expected, abs=3.0)


def test_noise_pulls_towards_independence() -> None:
    table = coded_table()
    strong, weak = (model_of(table, [(0, 1)], variance) for variance in (1e-3, 1e6))

    def dependence(model: MarginalModel) -> float:
        shares = model.counts((0, 1)) / model.total
        alone = np.multiply.outer(shares.sum(axis=1), shares.sum(axis=0))
        return float(np.abs(shares - alone).sum())

    assert dependence(weak) < 0.5 * dependence(strong)


def test_two_measurements_are_as_good_as_a_better_one() -> None:
    values = np.array([10.0, 20.0])
    first = Measurement((0,), values, np.array([4.0, 4.0]))
    second = Measurement((0,), values + 3, np.array([2.0, 2.0]))
    both = first.combine(second)
    assert both.values == pytest.approx([12.0, 22.0])
    assert both.variance == pytest.approx([4 / 3, 4 / 3])
