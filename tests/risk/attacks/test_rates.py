from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.risk.attacks.rates import Rate, Rates, excess


def test_the_interval_is_wilson_s() -> None:
    # Newcombe (1998), method 3, 81 of 263.
    low, high = Rate(263, 81).interval
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@given(st.integers(1, 5000), st.floats(0, 1), st.floats(0.5, 0.999))
def test_an_interval_holds_its_share_and_stays_within_0_and_1(
    n: int, share: float, confidence: float
) -> None:
    rate = Rate(n, share * n, confidence)
    low, high = rate.interval
    assert 0 <= low <= rate.share + 1e-12
    assert rate.share - 1e-12 <= high <= 1


def test_nothing_and_everything_reach_the_ends() -> None:
    assert Rate(50, 0).interval[0] == 0
    assert Rate(50, 50).interval[1] == 1


def test_the_excess_and_its_error_are_those_of_the_paper() -> None:
    # As the authors' own package (anonymeter 1.1.0) works them out.
    risk, interval = excess(Rate(500, 250), Rate(500, 100))
    assert risk == pytest.approx(0.37320792142287146, abs=1e-12)
    assert interval == pytest.approx((0.31195653227592063, 0.4344593105698223), abs=1e-12)
    risk, interval = excess(Rate(1000, 431, 0.9), Rate(300, 57, 0.9))
    assert risk == pytest.approx(0.2953503426273229, abs=1e-12)
    assert interval == pytest.approx((0.24985802786303737, 0.34084265739160846), abs=1e-12)


@given(st.integers(1, 2000), st.floats(0, 1), st.floats(0, 1))
def test_a_risk_lies_in_its_interval(n: int, attack: float, control: float) -> None:
    risk, interval = excess(Rate(n, n * attack), Rate(n, n * control))
    assert interval is not None
    assert 0 <= interval[0] <= risk <= interval[1] <= 1


def test_attacks_that_go_together_are_worth_less() -> None:
    narrow, wide = Rate(1000, 300).interval, Rate(1000, 300, n_worth=100).interval
    assert wide[1] - wide[0] > 2.5 * (narrow[1] - narrow[0])


def test_without_an_attack_the_risk_is_0_without_an_interval() -> None:
    score = Rates(Rate(0, 0), Rate(0, 0)).score("x")
    assert score.value == 0
    assert score.interval is None
    assert score.to_dict()["parts"]["n_attacks"] == 0


def test_the_control_is_what_counts_where_there_is_one() -> None:
    both = Rates(Rate(100, 60), Rate(100, 10), Rate(100, 60))
    assert both.risk()[0] == 0
    assert both.against == "control"
    assert Rates(Rate(100, 60), Rate(100, 10)).risk()[0] > 0.5
