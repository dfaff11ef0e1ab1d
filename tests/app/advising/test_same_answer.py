"""Same seed, same answer: whatever the load, the number of threads, or an interruption."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from microveil.app.advising import Goal
from microveil.app.advising.draws import Draws
from microveil.app.advising.judging import Judge
from microveil.app.advising.saving import Trials
from microveil.app.advising.search import Search
from microveil.app.advising.situation import Situation
from microveil.app.advising.work import Budget
from tests.app.advising.cases import K5, PEOPLE, ROLES

ATTACKED = {"measure": "linkability", "at_most": 0.3, "n_attacks": 100}


class SlowJudge(Judge):
    """A judge on a machine whose load changes from trial to trial."""

    def trial(self, plan: Any, rung: int) -> Any:
        time.sleep(0.03 * (hash(plan.at) % 3))
        return super().trial(plan, rung)


def searched(
    judge: type[Judge], workers: int, trials: Trials | None = None, *, attacked: bool = False
) -> Search:
    budget = Budget.of(600, 3.0 if attacked else 0.8)
    goal = Goal.parse({"require": [K5, ATTACKED] if attacked else [K5]})
    here = Situation.of(PEOPLE.head(120), ROLES, goal, None, budget)
    found = Search(judge(here, Draws.of(11)), budget, trials or Trials(), workers=workers)
    found.run()
    return found


def figures(search: Search) -> list[tuple[Any, ...]]:
    return [(plan, one.loss, one.risk, one.holds) for plan, one in search.tried.items()]


def test_load_and_threads_change_nothing() -> None:
    assert figures(searched(SlowJudge, 2)) == figures(_alone())


@pytest.mark.slow
@pytest.mark.parametrize(("judge", "workers"), [(SlowJudge, 2), (Judge, 2), (SlowJudge, 1)])
def test_nor_do_they_under_attacks(judge: type[Judge], workers: int) -> None:
    alone = searched(Judge, 1, attacked=True)
    assert figures(searched(judge, workers, attacked=True)) == figures(alone)


def test_an_interrupted_search_ends_where_it_would_have(tmp_path: Path) -> None:
    class Interrupted(Judge):
        """Gives up after some trials, as if the machine were switched off."""

        def trial(self, plan: Any, rung: int) -> Any:
            if len(list(tmp_path.iterdir())) >= 5:
                raise KeyboardInterrupt
            return super().trial(plan, rung)

    with pytest.raises(KeyboardInterrupt):
        searched(Interrupted, 1, Trials(tmp_path, "x"))
    n_finished = len(list(tmp_path.iterdir()))
    again = searched(Judge, 1, Trials(tmp_path, "x"))
    assert 0 < n_finished < len(again.tried)
    assert figures(again) == figures(_alone())


_FOUND: list[Search] = []


def _alone() -> Search:
    """One search with one thread, shared by the tests."""
    if not _FOUND:
        _FOUND.append(searched(Judge, 1))
    return _FOUND[0]
