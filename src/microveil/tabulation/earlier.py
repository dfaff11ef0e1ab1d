"""Earlier tables: what was published before counts as known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from microveil.arrays import Flags
from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tables import as_table
from microveil.tables.roles import check_columns
from microveil.tables.values import as_text
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.cells import Cells
from microveil.tabulation.tabulation import MISSING, Tabulation


class EarlierTable(Spec):
    """A table of the same data that was published before."""

    table: Tabulation
    """The table as it was asked for."""
    file: str
    """The file as it was published: codes, and a value that is missing where it was suppressed."""
    value: str = "value"
    """Its column of values."""


class Earlier(NamedTuple):
    """An earlier table: what it was, and what it showed."""

    tabulation: Tabulation
    shown: pl.DataFrame
    """Its codes and its value."""


def as_earlier(given: Sequence[Any]) -> list[Earlier]:
    """Earlier tables: pairs of a tabulation and a frame, or specs that name a file."""
    return [_as_earlier(one) for one in given]


def _as_earlier(given: Any) -> Earlier:
    if isinstance(given, dict):
        given = EarlierTable.parse(given)
    if isinstance(given, EarlierTable):
        from microveil.files import read

        tabulation, shown, value = given.table, read(given.file), given.value
    else:
        tabulation, frame = given
        shown, value = as_table(frame).frame, "value"
    check_columns([*tabulation.by, value], shown.columns)
    texts = [pl.Series(name, as_text(shown[name])).fill_null(MISSING) for name in tabulation.by]
    return Earlier(tabulation, pl.DataFrame([*texts, shown[value].alias("value")]))


def shown_before(table: CellTable, earlier: Earlier, cells: Cells) -> tuple[Flags, Flags]:
    """Which cells an earlier table showed, and which it left out."""
    shown, hidden = (np.zeros(cells.n_cells, dtype=np.bool_) for _ in range(2))
    rows = _rows(table, earlier.shown)
    numbers = table.cells[rows["row"].to_numpy()]
    values = rows["value"].cast(pl.Float64).to_numpy()
    known = ~np.isnan(values)
    apart = known & (np.abs(values - cells.values[numbers]) > 1e-6 * (1 + np.abs(values)))
    if apart.any():
        raise InputError(
            "Cell {cell} was published before with another value than the data have now.",
            cell=cells.codes_of(int(numbers[np.argmax(apart)])),
        )
    shown[numbers[known]] = True
    hidden[numbers[~known]] = True
    return shown, hidden & ~shown


def _rows(table: CellTable, shown: pl.DataFrame) -> pl.DataFrame:
    """The rows of a published table with their place among the table's cells."""
    found = shown
    for dimension in table.dimensions:
        nodes = {
            code: EVERYTHING if node == dimension.total else node
            for code, node in zip(dimension.codes, dimension.nodes.tolist(), strict=True)
        }
        found = found.with_columns(
            pl.col(dimension.name).replace_strict(nodes, default=None, return_dtype=pl.Int64)
        )
    places = table.nodes.with_row_index("row")
    return found.drop_nulls(list(table.nodes.columns)).join(places, on=table.nodes.columns)
