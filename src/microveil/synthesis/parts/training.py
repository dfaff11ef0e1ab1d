"""A table as the input of a generator: columns as arrays, and the weights of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from microveil.arrays import Floats, Ints
from microveil.errors import ColumnError
from microveil.synthesis.parts.columns import Column, read_column
from microveil.tables import Table
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import numbers_of
from microveil.texts import phrase

Cells = dict[str, Ints | Floats]


@dataclass(frozen=True, eq=False)
class Training:
    """The columns of a table, those to model separate from those that are given."""

    columns: Mapping[str, Column]
    cells: Cells
    modelled: tuple[str, ...]
    """In the table's order."""
    given: tuple[str, ...]
    weights: Floats | None
    """Weight of each record; None if all are equal."""
    n: int

    @classmethod
    def of(cls, table: Table, given: Sequence[str] = ()) -> Training:
        """Read a table; its weight column is not modelled."""
        weight = table.roles.weight
        names = [name for name in table.columns if name != weight]
        refuse_nested(table.frame, names, phrase("Synthesis"))
        columns = {name: read_column(table.frame[name]) for name in names}
        cells = {name: columns[name].encode(table.frame[name]) for name in names}
        return cls(
            columns,
            cells,
            modelled=tuple(name for name in names if name not in given),
            given=tuple(name for name in names if name in given),
            weights=None if weight is None else record_weights(table, weight),
            n=table.height,
        )

    def read_given(self, frame: pl.DataFrame | None) -> Cells:
        """The arrays of the given cells for which records are drawn."""
        if not self.given:
            return {}
        if frame is None:
            raise ColumnError("This model was fitted given other columns: pass their cells too.")
        return {name: self.columns[name].encode(frame[name]) for name in self.given}

    def frame(self, cells: Cells) -> pl.DataFrame:
        """Drawn arrays of the modelled columns as a frame."""
        series = []
        for name in self.modelled:
            column, array = self.columns[name], cells[name]
            # Each kind of column has arrays of its own kind.
            series.append(column.decode(array))  # type: ignore[arg-type]
        return pl.DataFrame(series)


def record_weights(table: Table, weight: str) -> Floats:
    """The weights of records: non-negative numbers, none missing."""
    series = table.frame[weight]
    if not series.dtype.is_numeric():
        raise ColumnError(
            "Weight column '{weight}' must be numbers. Convert it, or drop its role.", weight=weight
        )
    weights = numbers_of(series)
    n_wrong = int((~np.isfinite(weights) | (weights < 0)).sum())
    if n_wrong or not weights.sum() > 0:
        raise ColumnError(
            "Weight column '{weight}' has {n_wrong} missing, negative or infinite weights. "
            "Correct them, and leave at least one above 0.",
            weight=weight,
            n_wrong=n_wrong,
        )
    return weights
