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
