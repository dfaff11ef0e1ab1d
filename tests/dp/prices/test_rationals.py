from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil import dp
from microveil.dp.prices.rationals import as_float_above, as_float_below, exact


@given(st.fractions())
def test_floats_are_rounded_to_the_safe_side(number: Fraction) -> None:
    assert Fraction(as_float_below(number)) <= number <= Fraction(as_float_above(number))


@pytest.mark.parametrize("raw", ["", "a", "1/0", "nan", "inf", True, None, "1e999999", "9" * 500])
def test_what_is_no_number_is_refused(raw: object) -> None:
    with pytest.raises(mv.InputError):
        exact(raw)
    with pytest.raises(mv.SpecError):
        dp.Loss.parse({"epsilon": raw})
