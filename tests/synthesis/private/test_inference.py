from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from microveil.synthesis.private.descent import minimise
from microveil.synthesis.private.drawing import draw_records
from microveil.synthesis.private.inference import MarginalModel, fit_marginals
from microveil.synthesis.private.junction_tree import Clique
from microveil.synthesis.private.marginals import CodedTable, Measurement, shape_of, summed_axes
from microveil.synthesis.private.propagation import Propagation

Floats = NDArray[np.float64]
SIZES = (2, 3, 2, 4)


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


def _table(n: int = 2000) -> CodedTable:
    rng = np.random.default_rng(3)
    first = rng.integers(0, 2, n)
    second = (first + (rng.random(n) < 0.2)) % 3
    third = rng.integers(0, 2, n)
    fourth = (second + third + (rng.random(n) < 0.1)) % 4
    return CodedTable(np.stack([first, second, third, fourth]).astype(np.int32), SIZES)


def _measured(table: CodedTable, columns: Clique, variance: float) -> Measurement:
    values = table.counts(columns).reshape(shape_of(SIZES, columns)).astype(np.float64)
    return Measurement(columns, values, np.full(values.shape, variance))


def _model(table: CodedTable, cliques: list[Clique], variance: float = 1e-3) -> MarginalModel:
    singles: list[Clique] = [(0,), (1,), (2,), (3,)]
    measured = [_measured(table, one, variance) for one in [*singles, *cliques]]
    return fit_marginals(measured, SIZES, table.n_records, steps=500)


def test_exact_marginals_are_met() -> None:
    table = _table()
    model = _model(table, [(0, 1), (1, 2, 3)])
    for columns in [(0, 1), (1, 2, 3)]:
        expected = table.counts(columns).reshape(shape_of(SIZES, columns))
        assert model.counts(columns) == pytest.approx(expected, abs=2.0)


def test_what_was_not_measured_is_independent() -> None:
    model = _model(_table(), [(0, 1)])
    records = draw_records(model, 4000, np.random.default_rng(0))
    for pair in [(0, 2), (1, 3), (2, 3)]:
        table = records.counts(pair).reshape(shape_of(SIZES, pair)) / 4000
        alone = np.multiply.outer(table.sum(axis=1), table.sum(axis=0))
        assert np.abs(table - alone).sum() < 0.06


def test_a_cycle_of_relations_is_met() -> None:
    table = _table()
    pairs: list[Clique] = [(0, 1), (1, 3), (2, 3), (0, 2)]
    model = _model(table, pairs)
    for pair in pairs:
        expected = table.counts(pair).reshape(shape_of(SIZES, pair))
        assert model.counts(pair) == pytest.approx(expected, abs=3.0)


def test_noise_pulls_towards_independence() -> None:
    table = _table()
    strong, weak = (_model(table, [(0, 1)], variance) for variance in (1e-3, 1e6))

    def dependence(model: MarginalModel) -> float:
        shares = model.counts((0, 1)) / model.total
        alone = np.multiply.outer(shares.sum(axis=1), shares.sum(axis=0))
        return float(np.abs(shares - alone).sum())

    assert dependence(weak) < 0.5 * dependence(strong)


def test_drawn_records_meet_the_cliques_but_for_rounding() -> None:
    model = _model(_table(), [(0, 1), (1, 2)])
    records = draw_records(model, 5000, np.random.default_rng(1))
    for pair in [(0, 1), (1, 2)]:
        found = records.counts(pair).reshape(shape_of(SIZES, pair))
        expected = 5000 * model.propagation.marginal(pair)
        assert found == pytest.approx(expected, abs=4.0)


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_records_can_be_drawn(n: int) -> None:
    records = draw_records(_model(_table(), [(0, 1)]), n, np.random.default_rng(1))
    assert records.n_records == n
    assert all((records.codes[column] < SIZES[column]).all() for column in range(4))


def test_two_measurements_are_as_good_as_a_better_one() -> None:
    values = np.array([10.0, 20.0])
    first = Measurement((0,), values, np.array([4.0, 4.0]))
    second = Measurement((0,), values + 3, np.array([2.0, 2.0]))
    both = first.joined(second)
    assert both.values == pytest.approx([12.0, 22.0])
    assert both.variance == pytest.approx([4 / 3, 4 / 3])


@given(st.integers(0, 1000))
def test_descent_finds_the_bottom_of_a_bowl(seed: int) -> None:
    rng = np.random.default_rng(seed)
    roots = rng.normal(size=(6, 6))
    curvature = roots @ roots.T + 0.1 * np.eye(6)
    bottom = rng.normal(size=6)

    def bowl(x: Floats) -> tuple[float, Floats]:
        return float((x - bottom) @ curvature @ (x - bottom)), 2 * curvature @ (x - bottom)

    assert minimise(bowl, np.zeros(6), 300, 1e-9) == pytest.approx(bottom, abs=1e-3)


def test_all_pairs_of_small_models_are_read_off() -> None:
    propagation = Propagation(SIZES, [(0, 1, 2), (2, 3)])
    held = [pair for pair in combinations(range(4), 2) if propagation.holds(pair)]
    assert held == [(0, 1), (0, 2), (1, 2), (2, 3)]
