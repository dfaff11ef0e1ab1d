from __future__ import annotations

import pytest

import microveil as mv
from tests.tabulation.rules.contributions import unsafe


def test_it_is_the_p_percent_rule_with_p_over_q() -> None:
    found = unsafe(mv.PriorPosterior(p=10, q=50), weighted=False)
    assert found == unsafe(mv.PPercent(p=20), weighted=False)


def test_an_estimate_must_become_closer() -> None:
    with pytest.raises(mv.SpecError, match="smaller than q"):
        mv.PriorPosterior(p=50, q=20)
