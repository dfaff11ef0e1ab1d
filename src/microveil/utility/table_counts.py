"""Table counts: how far the cells of a published table would change."""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Floats
from microveil.errors import InputError
from microveil.measures.base import UtilityMeasure
from microveil.pairs.sample_weights import sample_weights
from microveil.scores import Score
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.roles import Columns, check_columns
from microveil.tables.values import as_text

MOST_COLUMNS = 8
"""Number of columns above which there are too many margins."""
QUANTILES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)


class TableCounts(UtilityMeasure):
    """Mean difference of the counts in a contingency table and all its margins.

    The table is that of ``columns``; its cells are all combinations that occur, its margins those
    of fewer columns (all but the total). ``error`` selects the difference: *absolute* |x − x'|,
    *root* |√x − √x'| or *relative* |x − x'|/x. ``parts`` has the means of all three and the numbers
    of cells that became empty or non-empty; ``frames["quantiles"]`` has their distribution:
    sdcMicro's ``infoLoss`` (relative differences are over cells that had records). If the roles
    name a weight, records count by it, as in a published table.

    >>> before, after = {"sex": ["f", "f", "m"]}, {"sex": ["f", "m", "m"]}
    >>> TableCounts(columns="sex").measure(before, after).value
    1.0
    """

    question: ClassVar[str] = "Are distributions kept?"
    title: ClassVar[str] = "Counts in tables"
    headline: ClassVar[bool] = True
    name: Literal["table_counts"] = "table_counts"
    compares_cells: ClassVar[bool] = True
    by_scenario: ClassVar[bool] = True
    known_field: ClassVar[str] = "columns"
    by_default: ClassVar[bool] = False
    weighs: ClassVar[bool] = True
    columns: Columns = ()
    """Columns of the table; by default the quasi-identifiers."""
    error: Literal["absolute", "root", "relative"] = "absolute"
    """Difference whose mean is the score."""
    only_inner_cells: bool = False
    """Whether to leave out the margins."""

    def score(self, original: Table, released: Table) -> Score:
        """Count in both tables, and compare."""
        names = self.columns or original.roles.quasi_identifiers
        if not names:
            raise InputError("'table_counts' needs the columns of a table, or quasi-identifiers.")
        if len(names) > MOST_COLUMNS and not self.only_inner_cells:
            raise InputError(
                "A table of {n_names} columns has too many margins. Name at most "
                "{most_columns}, or set only_inner_cells.",
                n_names=len(names),
                most_columns=MOST_COLUMNS,
            )
        for table in (original, released):
            check_columns(names, table.columns)
            refuse_nested(table.frame, list(names), self.kind())
        weights = sample_weights(original, released)
        x, y = self._counts(
            _Side(original.frame, weights[0]), _Side(released.frame, weights[1]), names
        )
        found = {
            "absolute": np.abs(x - y),
            "root": np.abs(np.sqrt(x) - np.sqrt(y)),
            "relative": np.abs(x - y)[x > 0] / x[x > 0],
        }
        means: dict[str, Any] = {
            kind: float(one.mean()) if len(one) else 0.0 for kind, one in found.items()
        }
        parts = means | {
            "n_emptied": int(((x > 0) & (y == 0)).sum()),
            "n_new": int(((x == 0) & (y > 0)).sum()),
            "n_cells": len(x),
        }
        return Score(
            measure=self.kind(),
            value=means[self.error],
            scale=f"{self.error} difference of counts",
            parts=parts,
            frames={"quantiles": _quantiles(found)},
        )

    def _counts(self, before: _Side, after: _Side, names: tuple[str, ...]) -> tuple[Floats, Floats]:
        sizes = [len(names)] if self.only_inner_cells else range(1, len(names) + 1)
        cells = [cell for size in sizes for cell in combinations(names, size)]
        counts = [_count(before, after, list(cell)) for cell in cells]
        x, y = (np.concatenate(side) for side in zip(*counts, strict=True))
        return x, y


class _Side(NamedTuple):
    """Records, and what each counts for: once, without weights."""

    frame: pl.DataFrame
    weights: Floats | None


def _count(before: _Side, after: _Side, names: list[str]) -> tuple[Floats, Floats]:
    # Numbered, so that no user column clashes with one made here.
    keys = [f"key {number}" for number in range(len(names))]
    sides = [
        pl.DataFrame(
            [as_text(one.frame[name]).alias(key) for name, key in zip(names, keys, strict=True)]
        ).with_columns(count=pl.lit(1) if one.weights is None else pl.Series(one.weights))
        for one in (before, after)
    ]
    x, y = (
        side.group_by(keys).agg(pl.col("count").sum().alias(name))
        for side, name in zip(sides, "xy", strict=True)
    )
    both = x.join(y, on=keys, how="full", nulls_equal=True, coalesce=True)
    filled = both.select(pl.col("x", "y").fill_null(0).cast(pl.Float64))
    return filled["x"].to_numpy(), filled["y"].to_numpy()


def _quantiles(found: dict[str, Floats]) -> pl.DataFrame:
    columns = {
        kind: np.quantile(one, QUANTILES) if len(one) else np.zeros(len(QUANTILES))
        for kind, one in found.items()
    }
    return pl.DataFrame({"share": list(QUANTILES), **columns})
