from __future__ import annotations

import numpy as np
import pytest

from microveil.utility.parts import covariances


@pytest.mark.parametrize("block", [3, 10, 1000])
@pytest.mark.parametrize("order", ["C", "F"])
def test_blocks_of_records_give_the_covariances_of_all(
    block: int, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(covariances, "BLOCK", block)
    values = np.random.default_rng(1).normal(1e6, [1.0, 20.0, 0.0], (50, 3))
    found = covariances.covariances_of(np.asarray(values, order=order))  # type: ignore[call-overload]  # either
    assert found == pytest.approx(np.cov(values, rowvar=False), rel=1e-10, abs=1e-12)
