from __future__ import annotations

from microveil.search.lattice.journal import NO_SOLUTION, SOLUTION, UNKNOWN
from tests.search.hill import journal


def test_nodes_above_a_solution_and_below_none_are_implied() -> None:
    found = journal(lambda levels: levels[0] >= 2)
    assert found.decide((2, 1))
    assert not found.decide((1, 3))
    assert found.verdict((3, 4)) == SOLUTION
    assert found.verdict((0, 0)) == NO_SOLUTION
    assert found.verdict((2, 0)) == UNKNOWN
    assert len(found.findings) == 2, "what is implied is not looked at"
    assert found.decide((3, 3))
    assert len(found.findings) == 2


def test_the_best_is_the_cheapest_then_the_lowest() -> None:
    found = journal(lambda levels: sum(levels) >= 2)
    for node in ((0, 1), (0, 2), (2, 1), (2, 0)):
        found.look(node)
    assert found.best == ((2.0,), 2, (2, 0))
    assert found.useless((2.0,), (2, 1))
    assert not found.useless((1.0,), (3, 3))


def test_parents_and_children_stay_within_the_lattice() -> None:
    found = journal(lambda _: True)
    assert list(found.parents((3, 4))) == []
    assert set(found.parents((0, 4))) == {(1, 4)}
    assert set(found.children((1, 1))) == {(0, 1), (1, 0)}
    assert len(list(found.all_nodes())) == 20
    assert found.shape == (4, 5)


def test_a_limit_counts_every_node_that_was_looked_at() -> None:
    found = journal(lambda _: True, checks=2)
    found.look((0, 0))
    found.look((0, 0))
    assert not found.is_exhausted()
    found.n_aside += 1
    assert found.is_exhausted()
