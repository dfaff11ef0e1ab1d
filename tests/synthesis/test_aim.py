from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.errors import SpecError
from microveil.synthesis.aim import Aim
from microveil.synthesis.private.generator import PrivateFitted
from microveil.tables import Table

DOMAIN: dict[str, Any] = {name: ["0", "1"] for name in "abc"}


def parity(n: int = 4000) -> pl.DataFrame:
    """Two fair coins and whether they agree: no pair is related, all three are."""
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 2, (2, n))
    return pl.DataFrame({"a": a.astype(str), "b": b.astype(str), "c": (a ^ b).astype(str)})


def learnt(**how: Any) -> PrivateFitted:
    generator = Aim(**{"epsilon": 8.0, "domain": DOMAIN, "insecure": True} | how)
    model = generator.fit(Table(parity()), np.random.default_rng(1))
    assert isinstance(model, PrivateFitted)
    return model


def test_a_relation_of_three_columns_is_found_where_pairs_show_nothing() -> None:
    drawn = learnt().sample(2000, np.random.default_rng(2))
    kept = drawn.select((pl.col("a") != pl.col("b")).cast(pl.Int8).cast(pl.String) == pl.col("c"))
    assert kept.to_series().mean() > 0.9  # type: ignore[operator]  # a number


def test_the_order_bounds_what_is_measured() -> None:
    assert max(len(one) for one in learnt(order=2).modelled) == 2
    with pytest.raises(SpecError):
        Aim.parse({"generator": "aim", "epsilon": 1.0, "domain": DOMAIN, "order": 4})


def test_the_budget_is_spent_to_the_last() -> None:
    shares = learnt().facts["budget_shares"].values()
    assert sum(map(Fraction, shares)) == 1
