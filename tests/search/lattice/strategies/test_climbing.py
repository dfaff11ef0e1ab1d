from __future__ import annotations

from collections.abc import Callable

import pytest

from microveil.search.lattice.journal import Journal
from microveil.search.lattice.space import Levels
from microveil.search.lattice.strategies.climbing import climb, halve
from tests.search.hill import journal


@pytest.mark.parametrize("start", [climb, lambda found, _: halve(found)], ids=["climb", "halve"])
def test_a_solution_is_found_where_there_is_one(
    start: Callable[[Journal, Levels], None],
) -> None:
    found = journal(lambda levels: levels[0] + levels[1] >= 5)
    start(found, (0, 0))
    assert found.best is not None
    assert sum(found.best[2]) >= 5


def test_the_solution_climbed_to_has_no_better_neighbour_below() -> None:
    found = journal(lambda levels: levels[0] >= 2 or levels[1] >= 2)
    climb(found, (0, 0))
    assert found.best == ((2.0,), 2, (2, 0))


def test_neither_looks_beyond_its_limit() -> None:
    for start in (lambda one: climb(one, (0, 0)), halve):
        found = journal(lambda _: False, checks=3)
        start(found)
        assert found.best is None
        assert len(found.findings) <= 5  # one step looks at both parents
