from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from microveil.synthesis.evaluation.associations import association_error, correlation_error


def test_associations_are_those_of_the_tables() -> None:
    x = np.arange(200.0)
    before = pl.DataFrame({"x": x, "y": x})
    after = pl.DataFrame({"x": x, "y": -x})
    assert correlation_error(before, after) == pytest.approx(2.0)
    same = pl.DataFrame({"a": ["u", "v"] * 100, "b": ["u", "v"] * 100})
    apart = pl.DataFrame({"a": ["u", "v"] * 100, "b": ["u", "u", "v", "v"] * 50})
    assert association_error(same, apart) == pytest.approx(1.0, abs=0.02)
    assert association_error(same, same) == 0
    assert correlation_error(same, same) is None
