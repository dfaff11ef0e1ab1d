from __future__ import annotations

import polars as pl
import pytest

from microveil.errors import InputError
from microveil.utility.discernibility import Discernibility


def test_discernibility_counts_beyond_32_bits() -> None:
    n = 70_000
    before = pl.DataFrame({"x": list(range(n))})
    after = pl.DataFrame({"x": [0] * n})
    score = Discernibility(columns="x").measure(before, after)
    assert score.parts["penalty"] == float(n) ** 2
    assert score.value == 1


def test_classes_need_keys() -> None:
    with pytest.raises(InputError, match="quasi-identifiers"):
        Discernibility().measure({"x": [1]}, {"x": [1]})
