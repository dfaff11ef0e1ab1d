"""Work is counted, and time only ends a search."""

from __future__ import annotations

import pytest

from microveil.app.advising.work import USED, Budget
from microveil.errors import InputError


def test_work_is_used_up_whatever_the_clock_says() -> None:
    budget = Budget.of(600, work=2)
    budget.spend(1.5)
    assert budget.left == 0.5
    assert budget.afford(0.5)
    assert not budget.afford(0.6)
    assert not budget.afford(0.1, share=0.75)


def test_seconds_grant_work_and_end_the_search() -> None:
    assert Budget.of(10).work == 10 * USED
    late = Budget.of(10, work=5)
    late.started -= 11
    assert late.late
    assert not late.afford(0.1)


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_no_time_is_told(seconds: float) -> None:
    with pytest.raises(InputError, match="positive"):
        Budget.of(seconds)


def test_a_family_is_tried_no_more_where_its_last_trial_tells_that_time_would_not_do() -> None:
    budget = Budget.of(100, work=80)
    budget.begin()
    budget.finish(10.0, "slow", 42.0, whole=False)
    assert budget.afford(10.0, 1.0, "slow")
    assert not budget.afford(30.0, 1.0, "slow")
    assert budget.afford(30.0, 1.0, "other")


def test_more_time_is_kept_for_verifying_where_a_full_trial_takes_long() -> None:
    budget = Budget.of(100, work=80)
    assert budget.reserved == 15
    budget.finish(10.0, "slow", 8.0, whole=True)
    assert budget.reserved == 24
    budget.finish(10.0, "slow", 50.0, whole=True)
    assert budget.reserved == 30
