from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from microveil.errors import GoalNotReachedError, InputError
from microveil.privacy import KAnonymity, LDiversity
from microveil.search.lattice.lattice_search import LatticeSearch
from microveil.search.lattice.outcome import checks_at, counting, refuse_unsolved
from microveil.tables import Table
from tests.search.exhaustive import HIERARCHIES, ROLES, frame_of

ROWS = [("1", "1", "1", 0), ("2", "1", "1", 1), ("3", "1", "1", 0), ("3", "1", "1", 1)]


def prepared(frame: Any, **fields: Any) -> Any:
    step = LatticeSearch.parse({"hierarchies": HIERARCHIES, "loss": "height", **fields})
    return step.search_with_examiner(Table(frame, ROLES))


def test_reasons_say_what_one_level_lower_would_cost() -> None:
    _, result = prepared(frame_of(ROWS), k=2)
    assert result.optimum.levels == {"a": 1, "b": 0, "c": 0}
    a, b, _ = result.reasons
    assert (a.column, a.level, a.n_suppressed, a.n_forcing, a.solution) == ("a", 1, 2, 2, False)
    assert a.share_lost == pytest.approx((5 / 2 / 5 - 1 / 5) / (4 / 5))
    assert (b.column, b.level, b.share_lost, b.n_suppressed) == ("b", 0, 0.0, None)


def test_counting_lifts_the_limit_of_suppression() -> None:
    examiner, _ = prepared(frame_of(ROWS), k=2)
    assert not examiner.examine((0, 0, 0)).solution
    free = counting(examiner).examine((0, 0, 0))
    assert free.solution
    assert free.n_suppressed == 2


def test_the_models_own_checks_are_made_at_a_node() -> None:
    models = [KAnonymity(k=2), LDiversity(l=2, column="s")]
    examiner, _ = prepared(frame_of(ROWS), models=models)
    low = checks_at(examiner, (0, 0, 0))
    high = checks_at(examiner, (1, 0, 0))
    assert [check.holds for check in low] == [False, False]
    assert [check.holds for check in high] == [True, True]


def test_an_unsolved_search_says_what_the_coarsest_node_lacks() -> None:
    examiner, result = prepared(frame_of(ROWS), models=[LDiversity(l=3, column="s")])
    with pytest.raises(GoalNotReachedError, match=r"at most 0 of 4 .* every key '\*', 4 would"):
        refuse_unsolved(examiner, result)
    with pytest.raises(InputError, match="reached its limit"):
        refuse_unsolved(examiner, replace(result, limited=True))
    examiner, result = prepared(frame_of(ROWS), k=2)
    refuse_unsolved(examiner, result)
