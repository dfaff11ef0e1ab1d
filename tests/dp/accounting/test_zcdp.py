from __future__ import annotations

import math

from microveil import dp


def test_zcdp_conversion_is_better_than_the_classic_and_never_better_than_exact() -> None:
    for rho in (1e-4, 0.05, 2.0):
        for delta in (1e-9, 1e-3):
            found = dp.zcdp_epsilon(rho, delta)
            assert found <= rho + 2 * math.sqrt(rho * math.log(1 / delta))
            assert found >= dp.gaussian_epsilon(math.sqrt(2 * rho), delta)
            assert dp.zcdp_epsilon(float(dp.zcdp_rho(found, delta)), delta) <= found
