from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil import dp
from microveil.statistics.zcdp import zcdp_epsilon, zcdp_rho


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("delta", [1e-5, 1e-9])
def test_rho_keeps_the_promise_and_wastes_nothing(epsilon: float, delta: float) -> None:
    rho = float(zcdp_rho(epsilon, delta))
    assert zcdp_epsilon(rho, delta) <= epsilon
    assert zcdp_epsilon(rho * 1.001, delta) > epsilon


@given(st.floats(1e-4, 5.0), st.floats(1e-12, 0.1))
def test_epsilon_is_the_least_over_all_orders(rho: float, delta: float) -> None:
    orders = 1 + np.geomspace(1e-4, 1e5, 4000)
    at_order = orders * rho + np.log(1 / (orders * delta)) / (orders - 1) + np.log1p(-1 / orders)
    least = max(float(at_order.min()), 0.0)
    assert zcdp_epsilon(rho, delta) == pytest.approx(least, rel=1e-2, abs=1e-6)
    assert zcdp_epsilon(rho, delta) <= least * (1 + 1e-6) + 1e-9


def test_opendp_converts_alike() -> None:
    pytest.importorskip("opendp")
    from opendp.combinators import make_fix_delta, make_zCDP_to_approxDP
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_gaussian
    from opendp.metrics import l2_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    noisy = make_gaussian(vector_domain(atom_domain(T="i64")), l2_distance(T="i64"), scale=5.0)
    fixed: Any = make_fix_delta(make_zCDP_to_approxDP(noisy), 1e-6)
    assert zcdp_epsilon(1 / 50, 1e-6) == pytest.approx(fixed.map(1)[0], rel=1e-3)


def test_the_conversion_is_better_than_the_classic_and_never_better_than_exact() -> None:
    for rho in (1e-4, 0.05, 2.0):
        for delta in (1e-9, 1e-3):
            found = zcdp_epsilon(rho, delta)
            assert found <= rho + 2 * math.sqrt(rho * math.log(1 / delta))
            assert found >= dp.gaussian_epsilon(math.sqrt(2 * rho), delta)
            assert zcdp_epsilon(float(zcdp_rho(found, delta)), delta) <= found
