from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil import dp
from microveil.dp.prices.rationals import readable

amounts = st.fractions(min_value=0, max_value=10)


losses = st.builds(
    dp.Loss.of, amounts, st.fractions(min_value=0, max_value=Fraction(1, 100)), amounts
)


def test_a_tenth_is_a_tenth_however_it_is_written() -> None:
    texts: list[Fraction | float | str] = [0.1, "0.1", "1/10", "1e-1", Fraction(1, 10)]
    assert {dp.Loss(epsilon=text).epsilon for text in texts} == {Fraction(1, 10)}


def test_ten_tenths_are_one_where_floats_are_not() -> None:
    whole = dp.Loss()
    for _ in range(10):
        whole += dp.Loss(epsilon=0.1)
    assert whole == dp.Loss(epsilon=1)
    assert sum([0.1] * 10) != 1


@given(losses, losses)
def test_spending_and_giving_back_leaves_the_budget(budget: dp.Loss, spent: dp.Loss) -> None:
    assert (budget + spent) - spent == budget
    assert spent.fits(budget + spent)
    assert spent.fits(spent.larger(budget))


@given(losses)
def test_a_loss_survives_a_file(loss: dp.Loss) -> None:
    assert dp.Loss.parse(loss.to_dict()) == loss


def test_negative_losses_and_impossible_deltas_are_refused() -> None:
    with pytest.raises(mv.SpecError, match="0 or more"):
        dp.Loss.parse({"epsilon": -1})
    with pytest.raises(mv.SpecError, match="probability"):
        dp.Loss.parse({"delta": 2})


def test_a_group_is_promised_less() -> None:
    assert dp.Loss(epsilon="1/2").for_group(3) == dp.Loss(epsilon="3/2")
    assert dp.Loss(rho="1/2").for_group(3) == dp.Loss(rho="9/2")
    both = dp.Loss(epsilon=1, delta="1e-6").for_group(2)
    assert both.epsilon == 2
    assert 2 * 2.718281828e-6 <= both.delta <= 2 * 2.71828183e-6
    assert dp.Loss(epsilon=1000, delta="1e-6").for_group(2).delta == 1


def test_losses_compose_in_sequence_and_in_parallel() -> None:
    one, other = dp.Loss(epsilon="1/4"), dp.Loss(epsilon="1/3")
    assert one + other == dp.Loss(epsilon="7/12")
    assert one.larger(other) == other


def test_a_loss_is_shown_for_people() -> None:
    assert str(dp.Loss(epsilon=0.5, delta="1e-6")) == "ε = 0.5, δ = 1e-06"
    assert str(dp.Loss()) == "nothing"
    assert repr(dp.Loss(epsilon=0.5)) == "Loss(epsilon='1/2')"
    assert eval("dp." + repr(dp.Loss(rho="1/3"))) == dp.Loss(rho="1/3")  # noqa: S307  our own text
    assert readable(Fraction(1, 3)) == "about 0.3333"
