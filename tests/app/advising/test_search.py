"""A search tries what suits, spends no more than its work, and ends alike."""

from __future__ import annotations

import pytest

from microveil.app.advising.saving import Trials
from microveil.app.advising.search import Search
from microveil.app.advising.work import Budget
from microveil.errors import InputError
from tests.app.advising.cases import K5, judge


def search(work: float, **goal: object) -> Search:
    made = Search(judge(**goal), Budget.of(600, work), Trials())
    made.run()
    return made


def test_no_more_work_is_spent_than_granted_and_the_answer_is_the_same() -> None:
    one, other = search(2.0), search(2.0)
    assert one.budget.spent <= 2.0 + max(one.judge.cost(plan, one.full) for plan in one.tried)
    assert {p: c.rank for p, c in one.tried.items()} == {p: c.rank for p, c in other.tried.items()}
    assert len({plan.family for plan in one.tried}) >= 3


def test_more_work_never_finds_less() -> None:
    little, much = search(1.0), search(3.0)
    best = [min(one.tried.values(), key=lambda c: c.rank).loss for one in (little, much)]
    assert best[0] is not None
    assert best[1] is not None
    assert best[1] <= best[0]


def test_too_little_for_one_run_is_told() -> None:
    with pytest.raises(InputError, match="too short for one full run"):
        search(0.01)


def test_a_ceiling_is_searched_among_classes_perturbed_and_drawn_tables() -> None:
    found = search(3.0, require=[{"measure": "record_linkage", "at_most": 0.1}])
    kinds = {plan.family for plan in found.tried}
    assert {"perturb_keys", "synthesize", "mondrian"} <= kinds


def test_progress_tells_the_best_so_far() -> None:
    told: list[str] = []
    made = Search(judge(), Budget.of(600, 1.5), Trials(), lambda _, __, what: told.append(what))
    made.run()
    assert "best loss" in told[-1]


def test_where_time_is_over_no_more_is_begun() -> None:
    budget = Budget.of(600, 3.0)
    budget.started -= 601
    made = Search(judge(require=[K5]), budget, Trials())
    made.run()
    assert len(made.tried) <= 2  # each worker may have begun one
