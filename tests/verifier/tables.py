"""Random tables of every kind of column, with ties, gaps, zeros of both signs and odd names."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal
from typing import Any

import polars as pl

NAMES = ["age", "zip", "@zip", "__n", "__class", "=sum", "ключ", "a b", "-x", "Ä", "n", "value"]
MARK = "zq§"
"""Stands in every cell of marked columns, and in no message."""
NUMBERS = ("whole", "small", "real", "single", "money")


def random_table(rng: random.Random) -> tuple[pl.DataFrame, list[str]]:
    """A table and its keys; beside them a secret, a person, a household, a weight and items."""
    n = rng.choice([0, 1, 2, 5, 12, 12, 30, 60])
    keys = rng.sample(NAMES, rng.randint(1, 3))
    columns = {name: random_column(rng, n) for name in keys}
    columns["secret"] = random_column(
        rng, n, rng.choice(["text", "whole", "bool", "enum", "marked"])
    )
    people = rng.choice([n, n, max(n // 2, 1)])
    columns["person"] = pl.Series([f"{MARK}{rng.randrange(max(people, 1))}" for _ in range(n)])
    columns["home"] = pl.Series([rng.randrange(max(n // 3, 1)) for _ in range(n)], dtype=pl.Int32)
    columns["area"] = pl.Series([rng.choice("ab") for _ in range(n)], dtype=pl.String)
    columns["w"] = pl.Series([rng.choice([1.0, 2.5, 40.0]) for _ in range(n)], dtype=pl.Float64)
    columns["items"] = pl.Series(
        ["|".join(rng.sample("pqrs", rng.randint(0, 3))) for _ in range(n)], dtype=pl.String
    )
    frame = pl.DataFrame(columns)
    return (_twins(rng, frame) if n and rng.random() < 0.5 else frame), keys


def _twins(rng: random.Random, frame: pl.DataFrame) -> pl.DataFrame:
    """The same columns from few distinct rows, so that classes are large."""
    few = [rng.randrange(frame.height) for _ in range(max(frame.height // 6, 1))]
    rows = [rng.choice(few) for _ in range(frame.height)]
    kept = frame.select("person", "home", "w")
    return frame[rows].with_columns(kept) if rng.random() < 0.5 else frame[rows]


def random_column(rng: random.Random, n: int, kind: str | None = None) -> pl.Series:
    """A column of few values, so that classes form; some cells missing."""
    kind = kind or rng.choice(list(VALUES))
    gaps = rng.choice([0.0, 0.0, 0.2])
    cells = [None if rng.random() < gaps else rng.choice(VALUES[kind]) for _ in range(n)]
    return pl.Series(cells, dtype=KINDS.get(kind, pl.String()))


KINDS: dict[str, pl.DataType] = {
    "enum": pl.Enum(["low", "mid", "high"]),
    "category": pl.Categorical(),
    "date": pl.Date(),
    "moment": pl.Datetime("ms"),
    "bool": pl.Boolean(),
    "whole": pl.Int64(),
    "small": pl.UInt8(),
    "real": pl.Float64(),
    "single": pl.Float32(),
    "money": pl.Decimal(8, 2),
}
VALUES: dict[str, list[Any]] = {
    "text": ["x", "y", "x ", "Ünï", "", "=1+1", "NA", "'=1+1"],
    "marked": [f"{MARK}{i}" for i in range(4)],
    "whole": [0, 1, 2],
    "small": [7, 8, 255],
    "real": [0.0, -0.0, 1.5, float("nan"), 1e-7],
    "single": [0.5, 0.25, -0.0],
    "money": [Decimal("1.10"), Decimal("1.1"), Decimal("2.00")],
    "date": [dt.date(2020, 1, 1), dt.date(2020, 2, 1), dt.date(1899, 12, 31)],
    "moment": [dt.datetime(2020, 1, 1), dt.datetime(2020, 1, 1, 12, 30)],  # noqa: DTZ001  no zone
    "bool": [True, False],
    "enum": ["low", "mid", "high"],
    "category": ["red", "green", "Red"],
    "numeric text": ["10.1", "10.10", "20.2", "007", "7", "true", "2020-01-01"],
}
