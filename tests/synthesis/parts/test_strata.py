from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from microveil.errors import InputError
from microveil.synthesis.bootstrap import Bootstrap
from microveil.synthesis.parts.strata import StrataModel, shares_of
from microveil.tables import Table


@given(st.integers(0, 200), st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_shares_add_up_and_are_off_by_less_than_one(n: int, sizes: list[int]) -> None:
    exact = n * np.array(sizes) / sum(sizes)
    found = shares_of(n, np.array(sizes, dtype=np.float64))
    assert found.sum() == n
    assert (np.abs(found - exact) < 1).all()


def test_each_stratum_keeps_its_own_values_and_its_share() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"s": ["a"] * 20 + ["b"] * 10, "x": [1] * 20 + [2] * 10})
    model = StrataModel.fit(Bootstrap(), Table(frame), rng, ["s"])
    drawn = model.sample(15, rng)
    assert drawn["s"].value_counts(sort=True).rows() == [("a", 10), ("b", 5)]
    assert set(drawn.rows()) == {("a", 1), ("b", 2)}
    assert model.facts == {"n_strata": 2}
    with pytest.raises(InputError, match="1 of 2 strata have fewer than 5 records"):
        StrataModel.fit(Bootstrap(), Table(frame[:22]), rng, ["s"])
