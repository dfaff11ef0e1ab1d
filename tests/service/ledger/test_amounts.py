from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.service.ledger.amounts import GRID, cap, exact, price, read_amounts, write_amounts

FRACTIONS = st.fractions(0, 1000)


@given(FRACTIONS)
def test_a_price_is_never_too_low_and_a_cap_never_too_high(value: Fraction) -> None:
    assert 0 <= price(value) - value < Fraction(1, GRID)
    assert 0 <= value - cap(value) < Fraction(1, GRID)


@given(st.integers(1, 30), st.integers(0, 10**6))
def test_plain_fractions_are_exact(denominator: int, numerator: int) -> None:
    value = Fraction(numerator, denominator)
    assert price(value) == cap(value) == value


@given(st.lists(FRACTIONS, max_size=50))
def test_sums_of_prices_stay_on_the_grid(values: list[Fraction]) -> None:
    total = sum((price(value) for value in values), Fraction(0))
    assert GRID % total.denominator == 0


def test_a_float_means_the_number_that_was_written() -> None:
    assert exact(0.1) == Fraction(1, 10)
    assert exact(1e-9) == Fraction(1, 10**9)
    assert exact(Decimal("0.3")) == Fraction(3, 10)


@pytest.mark.parametrize(
    "value", [-1, "-0.1", float("nan"), float("inf"), "a lot", "1/0", 10**10, "1e999999999"]
)
def test_what_is_no_amount_is_refused(value: float | str) -> None:
    with pytest.raises(InputError, match="privacy loss"):
        exact(value)


@given(st.dictionaries(st.sampled_from(["epsilon", "delta", "rho"]), FRACTIONS))
def test_amounts_survive_their_text(amounts: dict[str, Fraction]) -> None:
    assert read_amounts(write_amounts(amounts)) == amounts
