from itertools import combinations

import pytest

from microveil.synthesis.private.candidates import Candidates, ModelView
from microveil.synthesis.private.propagation import Propagation
from tests.synthesis.private.cases import SIZES, coded_table, model_of


def test_all_pairs_of_small_models_are_read_off() -> None:
    propagation = Propagation(SIZES, [(0, 1, 2), (2, 3)])
    held = [pair for pair in combinations(range(4), 2) if propagation.holds(pair)]
    assert held == [(0, 1), (0, 2), (1, 2), (2, 3)]


def test_pairs_weigh_by_their_columns_and_triples_are_asked_for() -> None:
    pairs = Candidates(coded_table(50), 2)
    assert len(pairs.cells) == 6
    assert pairs.cells[(1, 3)] == 12
    assert set(pairs.weights.values()) == {2}
    assert len(Candidates(coded_table(50), 3).cells) == 6 + 4


def test_counts_are_those_of_the_records() -> None:
    table = coded_table(50)
    found = Candidates(table, 2)
    assert found.counts((0, 1)).tolist() == table.counts((0, 1)).tolist()
    assert found.counts((0, 1)) is found.counts((0, 1))


def test_only_what_is_audible_and_keeps_the_model_small_fits() -> None:
    found = Candidates(coded_table(50), 2)
    propagation = Propagation(SIZES, [(0, 1)])
    assert found.fitting(propagation, 100, 1000) == list(found.cells)
    assert found.fitting(propagation, 4, 1000) == [(0, 2)]
    assert found.fitting(propagation, 100, 0) == [(0, 1)]


def test_a_pair_outside_the_cliques_is_estimated_from_drawn_records() -> None:
    table = coded_table(2000)
    view = ModelView(model_of(table, [(0, 1), (1, 2)]))
    exact = table.counts((0, 1)).reshape(2, 3)
    assert view.counts((0, 1)) == pytest.approx(exact, abs=2.0)
    apart = view.counts((0, 3))
    assert apart.shape == (2, 4)
    assert apart.sum() == pytest.approx(2000, rel=0.01)
