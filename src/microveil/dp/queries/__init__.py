"""Queries to a private table: one class per kind, with its name in files."""

from microveil.dp.queries.base import Query
from microveil.dp.queries.choices import Median, Quantile, TopK
from microveil.dp.queries.counts import Contingency, Count, DistinctCount, Histogram
from microveil.dp.queries.moments import Correlation, Covariance, Mean, Sum, Variance
from microveil.dp.queries.regressions import LinearRegression, LogisticRegression
from microveil.specs import Registry

QUERIES = Registry[Query](
    "query",
    Count,
    DistinctCount,
    Sum,
    Mean,
    Variance,
    Covariance,
    Correlation,
    Quantile,
    Median,
    Histogram,
    Contingency,
    TopK,
    LinearRegression,
    LogisticRegression,
)

__all__ = [
    "QUERIES",
    "Contingency",
    "Correlation",
    "Count",
    "Covariance",
    "DistinctCount",
    "Histogram",
    "LinearRegression",
    "LogisticRegression",
    "Mean",
    "Median",
    "Quantile",
    "Query",
    "Sum",
    "TopK",
    "Variance",
]
