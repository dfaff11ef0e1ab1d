"""Two tables to link, and the share of links that are right."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from microveil.risk.record_linkage import RecordLinkage


def linked(first: Any, second: Any, **parameters: Any) -> float:
    return RecordLinkage(**parameters).measure(first, second).value


METHODS: list[dict[str, Any]] = [
    {"method": "distance"},
    {"method": "assignment"},
    {"method": "probabilistic"},
    {"method": "probabilistic", "one_to_one": True},
]
methods = pytest.mark.parametrize(
    "parameters", METHODS, ids=lambda p: "-".join(map(str, p.values()))
)


def people(n: int, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(0, 90, n),
            "pay": rng.lognormal(8, 1, n),
            "sex": rng.choice(["f", "m"], n),
            "town": rng.choice([f"t{number}" for number in range(20)], n),
            "born": pl.Series(rng.integers(0, 20_000, n).astype(np.int32)).cast(pl.Date),
        }
    )
