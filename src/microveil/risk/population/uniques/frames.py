"""Results of a search for special uniques: by size, by column and by set of columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from microveil.risk.population.uniques.distinct_rows import DistinctRows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from microveil.kernels.uniques.minimal_uniques import MinimalUniques

MOST_SETS_SHOWN = 1_000
"""Sets of columns listed in the frame ``sets``, those of most records first."""


class Found(NamedTuple):
    """Everything that one search finds in a table."""

    columns: tuple[str, ...]
    rows: DistinctRows
    uniques: MinimalUniques
    weights: NDArray[np.float64]
    scores: NDArray[np.float64]
    """SUDA score of each row."""
    chances: NDArray[np.float64]
    """DIS score of each row."""
    sampling_share: float

    def memberships(self) -> NDArray[np.bool_]:
        """(sets, columns): which of ``columns``, in their order, each set contains."""
        bits = np.array([self.rows.columns.index(name) for name in self.columns])
        inside: NDArray[np.bool_] = self.uniques.sets[:, None] >> bits & 1 == 1
        return inside


def size_frame(by_size: NDArray[np.int32], n_records: NDArray[np.int64]) -> pl.DataFrame:
    """Number of minimal uniques of each size, and of records with one, from distinct rows."""
    found, before = [], np.zeros(len(by_size), dtype=np.bool_)
    for size, often in enumerate(by_size.T, start=1):
        some = often > 0
        mine = n_records[some]
        first = n_records[some & ~before]
        found.append((size, int(often[some] @ mine), int(mine.sum()), int(first.sum())))
        before |= some
    names = ("size", "n_minimal_uniques", "n_records", "n_smallest")
    return pl.DataFrame(found, schema=dict.fromkeys(names, pl.Int64), orient="row")


def column_frame(found: Found) -> pl.DataFrame:
    """Share of all scores due to minimal uniques with each column, in column order."""
    inside = found.memberships()
    n_records = found.uniques.n_records
    weighted = n_records * found.weights[inside.sum(axis=1) - 1]
    total = float(weighted.sum())
    return pl.DataFrame(
        {
            "column": list(found.columns),
            "contribution": (inside.T @ weighted) / (total or 1.0),
            "n_minimal_uniques": inside.T @ n_records,
        }
    )


def column_size_frame(found: Found) -> pl.DataFrame:
    """Minimal uniques of each size with each column, and their share among those of that size."""
    inside = found.memberships()
    sizes = inside.sum(axis=1)
    parts = []
    for size in range(1, len(found.weights) + 1):
        n_records = found.uniques.n_records * (sizes == size)
        counts = inside.T @ n_records
        parts.append(
            pl.DataFrame(
                {
                    "column": list(found.columns),
                    "size": np.full(len(counts), size),
                    "n_minimal_uniques": counts,
                    "share": counts / max(int(n_records.sum()), 1),
                }
            )
        )
    return pl.concat(parts)


def set_frame(found: Found) -> pl.DataFrame:
    """The sets of columns that are minimal uniques of most records."""
    inside = found.memberships()
    sizes = inside.sum(axis=1)
    order = np.lexsort((found.uniques.sets, sizes, -found.uniques.n_records))[:MOST_SETS_SHOWN]
    names = np.array(found.columns, dtype=object)
    return pl.DataFrame(
        {
            "columns": pl.Series(
                [names[inside[i]].tolist() for i in order], dtype=pl.List(pl.String)
            ),
            "size": sizes[order].astype(np.int64),
            "n_records": found.uniques.n_records[order],
        }
    )
