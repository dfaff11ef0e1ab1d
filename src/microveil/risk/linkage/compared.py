"""Compared columns, and records compared by several of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from microveil.arrays import Floats

if TYPE_CHECKING:
    from microveil.kernels.neighbours.mixed_tree import Metric

Standardize = Literal["sd", "range", "robust", "rank", "none"]
"""What a difference of numbers is measured in."""
Distance = Literal["euclidean", "manhattan", "gower", "mahalanobis"]
"""How the columns' differences make one distance."""
GLANCE = 64
"""Rows looked at before all of a column are."""


class Compared(NamedTuple):
    """One column in both tables, and the cost of its differences."""

    before: Floats
    after: Floats
    kind: int
    cost: float
    missing: float
    """Distance between a missing and a non-missing cell."""
    table: Floats | None = None
    exact: bool = False
    """Whether only equal released cells can be at distance 0 from a value."""


class RecordComparison(NamedTuple):
    """All columns: original records as queries, released records as candidates."""

    queries: Floats
    records: Floats
    metric: Metric
    exact: bool = False
    """Whether only equal released records can be at distance 0 from an original."""

    def order(self) -> NDArray[np.int64]:
        """The rows in an order that depends on what they contain alone."""
        mixed = np.zeros(len(self.queries))
        draws = np.random.default_rng(0)
        # Cell by cell: a product of matrices rounds by the place of a row.
        for column in (*self.queries.T, *self.records.T):
            mixed += draws.random() * np.nan_to_num(column, nan=draws.random())
        return np.argsort(mixed, kind="stable")

    def only(self, places: Sequence[int]) -> RecordComparison:
        """The same records by some of the columns."""
        chosen = np.asarray(places, dtype=np.int64)
        metric = self.metric
        return self._replace(
            queries=np.ascontiguousarray(self.queries[:, chosen]),
            records=np.ascontiguousarray(self.records[:, chosen]),
            metric=metric._replace(
                kinds=metric.kinds[chosen],
                costs=metric.costs[chosen],
                widths=metric.widths[chosen],
                missing=metric.missing[chosen],
                starts=metric.starts[chosen],
                strides=metric.strides[chosen],
            ),
        )


def comparison_of(
    made: Iterable[Compared], n_columns: int, n_records: int, widths: list[float] | None = None
) -> RecordComparison:
    """The columns side by side, with their metric; each is needed only until the next one."""
    from microveil.kernels.neighbours.mixed_tree import Metric

    queries, records = np.zeros((n_records, n_columns)), np.zeros((n_records, n_columns))
    columns = []
    for place, column in enumerate(made):
        queries[:, place], records[:, place] = column.before, column.after
        columns.append(column._replace(before=queries[:, place], after=records[:, place]))
    tables = [np.zeros(0) if column.table is None else column.table for column in columns]
    starts = np.cumsum([0, *(table.size for table in tables)])[: len(tables)]
    metric = Metric(
        np.array([column.kind for column in columns], dtype=np.int32),
        np.array([column.cost for column in columns], dtype=np.float64),
        np.array([0.0] * len(columns) if widths is None else widths, dtype=np.float64),
        np.array([column.missing for column in columns], dtype=np.float64),
        np.concatenate([np.zeros(0), *(table.ravel() for table in tables)]),
        starts.astype(np.int64),
        np.array([0 if t.ndim < 2 else t.shape[1] for t in tables], dtype=np.int64),  # noqa: PLR2004  a table has two axes
    )
    exact = all(column.exact and column.missing > 0 for column in columns)
    return RecordComparison(queries, records, metric, exact)


def number_comparison(queries: Floats, records: Floats) -> RecordComparison:
    """Complete records of numbers, compared by squared differences."""
    from microveil.kernels.neighbours.mixed_tree import number_metric

    metric = number_metric(queries.shape[1])._replace(missing=np.ones(queries.shape[1]))
    return RecordComparison(queries, records, metric, exact=True)


def mean_difference(numbers: Floats) -> float:
    """Mean difference, without its sign, of two numbers drawn at random (Gini).

    >>> mean_difference(np.array([1.0, 3.0]))
    1.0
    """
    present = np.sort(numbers[~np.isnan(numbers)])
    n = len(present)
    if n == 0:
        return 0.0
    return float(2 * ((2 * np.arange(1, n + 1) - n - 1) @ present) / n**2)
