from fractions import Fraction
from math import exp, log1p
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InternalError
from microveil.synthesis.private.accounting import (
    Spending,
    cost_of,
    delta_of,
    epsilon_of,
    rho_of,
    scale_for,
)


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("delta", [1e-5, 1e-9])
def test_rho_keeps_the_promise_and_wastes_nothing(epsilon: float, delta: float) -> None:
    rho = float(rho_of(epsilon, delta))
    assert delta_of(rho, epsilon) <= delta
    assert delta_of(rho * 1.001, epsilon) > delta
    assert epsilon_of(rho, delta) == pytest.approx(epsilon, rel=1e-6)


@given(st.floats(1e-4, 5.0), st.floats(0.01, 20.0))
def test_delta_is_the_least_over_all_orders(rho: float, epsilon: float) -> None:
    orders = 1 + np.geomspace(1e-4, 1e5, 4000)
    logs = [
        (a - 1) * (a * rho - epsilon) + a * log1p(-1 / a) - np.log(a - 1) for a in orders.tolist()
    ]
    least = exp(min(*logs, 0.0))
    assert delta_of(rho, epsilon) <= least * (1 + 1e-6)
    assert delta_of(rho, epsilon) >= least * 0.99


def test_opendp_converts_alike() -> None:
    pytest.importorskip("opendp")
    from opendp.combinators import make_fix_delta, make_zCDP_to_approxDP
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian
    from opendp.metrics import l2_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    noisy = make_gaussian(
        vector_domain(atom_domain(T="i64")), l2_distance(T="i64"), scale=scale_for(Fraction(1, 50))
    )
    fixed: Any = make_fix_delta(make_zCDP_to_approxDP(noisy), 1e-6)
    assert epsilon_of(1 / 50, 1e-6) == pytest.approx(fixed.map(1)[0], rel=1e-3)


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
