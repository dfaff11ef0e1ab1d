from __future__ import annotations

from fractions import Fraction

from microveil import dp
from microveil.dp.accounting.zcdp import pure_as_zcdp


def test_pure_privacy_costs_half_its_square() -> None:
    assert pure_as_zcdp(Fraction(1, 5)) == Fraction(1, 50)


def test_pure_privacy_is_dearer_by_zcdp_only_where_delta_is_small() -> None:
    rho = float(pure_as_zcdp(Fraction(1)))
    assert dp.zcdp_epsilon(rho, 1e-9) > 1
    assert dp.zcdp_epsilon(rho, 0.5) < 1
