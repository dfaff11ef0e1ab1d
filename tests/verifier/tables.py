"""Random tables of every kind of column, with ties, gaps, zeros of both signs and odd names."""

from __future__ import annotations

import datetime as dt
import random
from typing import Any

import polars as pl

NAMES = ["age", "zip", "@zip", "__n", "__class", "=sum", "ключ", "a b", "-x", "Ä"]


def random_table(rng: random.Random) -> tuple[pl.DataFrame, list[str], str, str]:
    """A table, its keys, its sensitive column and its entity column."""
    n = rng.choice([1, 2, 5, 12, 30, 60])
    keys = rng.sample(NAMES, rng.randint(1, 3))
    columns = {name: random_column(rng, n) for name in keys}
    columns["secret"] = random_column(rng, n, rng.choice(["text", "whole", "bool"]))
    people = rng.choice([n, n, max(n // 2, 1)])
    columns["person"] = pl.Series([f"p{rng.randrange(people)}" for _ in range(n)])
    return pl.DataFrame(columns), keys, "secret", "person"


def random_column(rng: random.Random, n: int, kind: str | None = None) -> pl.Series:
    """A column of few values, so that classes form; some cells missing."""
    kind = kind or rng.choice(["text", "whole", "real", "date", "bool", "enum", "numeric text"])
    values = _VALUES[kind]
    gaps = rng.choice([0.0, 0.0, 0.2])
    cells = [None if rng.random() < gaps else rng.choice(values) for _ in range(n)]
    return pl.Series(cells, dtype=_KINDS.get(kind, pl.String()))


_KINDS: dict[str, pl.DataType] = {
    "enum": pl.Enum(["low", "mid", "high"]),
    "date": pl.Date(),
    "bool": pl.Boolean(),
    "whole": pl.Int64(),
    "real": pl.Float64(),
}
_VALUES: dict[str, list[Any]] = {
    "text": ["x", "y", "x ", "Ünï", "", "=1+1"],
    "whole": [0, 1, 2],
    "real": [0.0, -0.0, 1.5, float("nan")],
    "date": [dt.date(2020, 1, 1), dt.date(2020, 2, 1)],
    "bool": [True, False],
    "enum": ["low", "mid", "high"],
    "numeric text": ["10.1", "10.10", "20.2", "007", "7"],
}
