from __future__ import annotations

import polars as pl
import pytest

from microveil.synthesis.evaluation.marginal_errors import marginal_errors


def test_marginal_errors_equal_a_hand_computation() -> None:
    before = pl.DataFrame({"a": ["x", "x", "y", "y"], "b": [1, 2, 1, 2]})
    after = pl.DataFrame({"a": ["x", "x", "x", "y"], "b": [1, 1, 1, 2]})
    found = {order: distance for order, distance, _ in marginal_errors(before, after)}
    assert found == pytest.approx({1: (0.5 + 0.5) / 2, 2: 0.5 + 0.25 + 0.25 + 0.0})
