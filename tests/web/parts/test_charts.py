"""Axes end where the points do."""

from __future__ import annotations

import pytest

from microveil.web.parts.charts import reach


@pytest.mark.parametrize("shares", [[0.0], [0.004, 0.01], [0.5], [0.51], [1.0], []])
def test_an_axis_holds_every_share_and_ends_at_a_round_number(shares: list[float]) -> None:
    assert reach(shares) >= max(shares, default=0)
    assert reach(shares) in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
