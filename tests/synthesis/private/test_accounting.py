from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InternalError
from microveil.synthesis.private.accounting import Spending, cost_of, scale_for


@given(st.fractions(Fraction(1, 10**9), Fraction(100)), st.integers(1, 4096))
def test_noise_never_costs_more_than_its_share(rho: Fraction, sensitivity: int) -> None:
    scale = scale_for(rho, sensitivity)
    assert cost_of(scale, sensitivity) <= rho
    assert cost_of(scale * (1 - 1e-12), sensitivity) > rho * (1 - Fraction(1, 10**11))


def test_a_budget_cannot_be_overdrawn() -> None:
    spending = Spending(Fraction(1, 3))
    spending.take(Fraction(1, 6), "counts")
    spending.take(Fraction(1, 6), "choices")
    assert spending.left == 0
    with pytest.raises(InternalError, match="overdrawn"):
        spending.take(Fraction(1, 10**30), "more")
