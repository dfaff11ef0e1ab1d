"""Columns of which each depends on the one before, and what a trust map says of them."""

from __future__ import annotations

import numpy as np
import polars as pl

from microveil.synthesis.trust_map import TrustMap


def chain(n: int = 4000) -> pl.DataFrame:
    """a → b → c, and d by itself."""
    rng = np.random.default_rng(4)
    a = rng.integers(0, 4, n)
    b = (a + (rng.random(n) < 0.1)) % 4
    c = (b + (rng.random(n) < 0.1)) % 4
    return pl.DataFrame({"a": a, "b": b, "c": c, "d": rng.integers(0, 4, n)})


def statuses(found: TrustMap) -> dict[tuple[str, str], str]:
    return {(one.first, one.second): one.status for one in found.relations}
