from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import microveil as mv
from microveil.methods.microaggregate.step import Microaggregate


@given(st.lists(st.integers(-50, 50), min_size=5, max_size=30), st.integers(2, 5))
def test_the_optimal_groups_lose_no_more_than_others(values: list[int], k: int) -> None:
    frame = pl.DataFrame({"x": values})
    losses = {}
    for algorithm in ("optimal", "mdav", "fixed", "refined"):
        released = Microaggregate(columns="x", k=k, algorithm=algorithm).protect(frame)["x"]
        losses[algorithm] = float(((frame["x"] - released) ** 2).sum())
    assert losses["optimal"] <= min(losses["mdav"], losses["fixed"]) + 1e-9
    assert losses["refined"] == pytest.approx(losses["optimal"])


def test_refining_never_loses_more_than_mdav() -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({name: rng.lognormal(size=200) for name in "abc"})
    shares = []
    for algorithm in ("mdav", "refined"):
        step = Microaggregate(columns=list("abc"), k=4, algorithm=algorithm)
        facts = step.apply(mv.Table(frame), np.random.default_rng(1)).facts
        shares.append(facts["loss_share"])
        assert 4 <= facts["smallest_group"] <= facts["largest_group"] <= 7
    assert shares[1] < shares[0]
