"""A trial is a run: its figures are those of the release, and what is forbidden is named."""

from __future__ import annotations

from typing import Any

import pytest

from microveil.app.advising.families import Plan
from microveil.app.running import run
from microveil.utility import CellLoss
from tests.app.advising.cases import K5, LINKED, PEOPLE, judge

MONDRIAN = Plan("mondrian", (1, "strict", "widest"))


def test_the_figures_of_a_trial_are_those_of_its_release() -> None:
    one = judge()
    found = one.trial(MONDRIAN, 0)
    release = run(found.recipe, PEOPLE, seed=1)
    columns = tuple(found.columns)
    loss = CellLoss(columns=columns).measure(release.original, release.table, recipe=found.recipe)
    assert found.loss == pytest.approx(loss.value)
    assert found.risk == pytest.approx(release.risk.average_risk)
    assert (found.holds, found.true, found.whole) == (True, True, True)
    assert [v.title for v in found.verdicts] == ["5-anonymity"]


def test_each_verdict_belongs_to_its_requirement() -> None:
    one = judge(require=[LINKED, K5])
    found = one.trial(Plan("as_it_is", ()), 0)
    assert {v.place: v.holds for v in found.verdicts} == {0: False, 1: False}
    assert found.holds is False


@pytest.mark.parametrize(
    ("goal", "plan", "told"),
    [
        ({"untouched": ["age"]}, MONDRIAN, "'age'"),
        ({"keep_records": True}, Plan("lattice", (1, 0.1)), "removes records"),
        ({"truthful": True}, Plan("microaggregate_keys", (1, "mdav", "auto")), "changes values"),
        ({"max_loss": 1e-6}, MONDRIAN, "loses more"),
    ],
)
def test_what_the_goal_forbids_is_not_offered(goal: dict[str, Any], plan: Plan, told: str) -> None:
    found = judge(**goal).trial(plan, 0)
    assert not found.counts
    assert told in found.forbidden


def test_a_trial_that_fails_says_why() -> None:
    found = judge(require=[{"model": "l_diversity", "l": 200, "column": "disease"}]).trial(
        MONDRIAN, 0
    )
    assert not found.counts
    assert found.problem


def test_longer_methods_and_attacks_cost_more_work() -> None:
    plain, attacked = judge(), judge(require=[K5, LINKED])
    recoding = Plan("local_recoding", (1, 0.0))
    assert plain.cost(MONDRIAN, 0) < plain.cost(recoding, 0) < attacked.cost(recoding, 0)
