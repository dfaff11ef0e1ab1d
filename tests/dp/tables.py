"""A small survey, its declarations, and one question of every kind about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from microveil import dp

COLUMNS: dict[str, Any] = {
    "age": {"type": "integer", "bounds": [0, 100]},
    "income": {"type": "real", "bounds": [0, 1000]},
    "region": {"type": "text", "keys": ["north", "south", "east", None]},
    "smokes": {"type": "boolean"},
    "born": {"type": "date", "bounds": ["1930-01-01", "2010-12-31"]},
    "job": {"type": "text"},
}


def declared(**more: Any) -> dp.Declaration:
    return dp.Declaration.parse({"name": "survey", "columns": COLUMNS, **more})


def survey(n: int = 2000, seed: int = 5) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    days = rng.integers(0, 29_000, n)
    frame = pl.DataFrame(
        {
            "id": rng.integers(0, max(n // 3, 1), n),
            "age": rng.integers(18, 90, n),
            "income": rng.gamma(3, 80, n),
            "region": rng.choice(["north", "south", "east"], n, p=[0.5, 0.3, 0.2]),
            "smokes": rng.random(n) < 0.3,
            "born": (np.datetime64("1930-01-01") + days).astype("datetime64[D]"),
            "job": rng.choice([f"job {number}" for number in range(8)], n),
        }
    )
    holes = rng.random(n) < 0.05
    return frame.with_columns(
        pl.when(~pl.Series(holes)).then(pl.col("income")).alias("income"),
        pl.when(~pl.Series(np.roll(holes, 7))).then(pl.col("region")).alias("region"),
    )


QUERIES: dict[str, dp.Query] = {
    "count": dp.Count(),
    "count_where": dp.Count(where="age >= 40 AND region IN ('north', 'south')"),
    "count_column": dp.Count(column="income"),
    "count_by": dp.Count(by=["region", "smokes"]),
    "distinct": dp.DistinctCount(column="job"),
    "people": dp.DistinctCount(),
    "people_by": dp.DistinctCount(by="region"),
    "sum": dp.Sum(column="income", where="smokes"),
    "sum_by": dp.Sum(column="age", by="region"),
    "mean": dp.Mean(column="income"),
    "mean_by": dp.Mean(column="age", by="region"),
    "variance": dp.Variance(column="age"),
    "covariance": dp.Covariance(columns=["age", "income"]),
    "correlation": dp.Correlation(columns=["age", "income"]),
    "quantile": dp.Quantile(column="income", share=0.25),
    "median": dp.Median(column="age"),
    "median_by": dp.Median(column="age", by="smokes"),
    "median_date": dp.Median(column="born"),
    "histogram": dp.Histogram(column="income", bins=4),
    "histogram_keys": dp.Histogram(column="region", by="smokes"),
    "contingency": dp.Contingency(columns=["region", "smokes"]),
    "top": dp.TopK(column="region", k=2),
    "linear": dp.LinearRegression(target="income", features=["age", "smokes"]),
    "logistic": dp.LogisticRegression(target="smokes", features=["age"]),
}
PRIVATE: dict[str, dp.Query] = {
    "count_private": dp.Count(by="job"),
    "mean_private": dp.Mean(column="age", by=["job", "region"]),
    "median_private": dp.Median(column="age", by="job"),
    "histogram_private": dp.Histogram(column="smokes", by="job"),
}
"""Questions broken down by a column without public keys."""
