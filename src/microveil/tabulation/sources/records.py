"""Records as a table counts them: codes, contributor, value and weight of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError
from microveil.tables import Table
from microveil.tables.roles import check_columns
from microveil.tabulation.tabulation import MISSING, Tabulation

PERSON, VALUE, WEIGHT, SHOWN, SIZE = "__person", "__value", "__weight", "__shown", "__size"
KEY, SUM_KEY, ROWS, COST = "__key", "__sum_key", "__rows", "__cost"
WAIVED = "__waived"


def records_of(
    table: Table,
    tabulation: Tabulation,
    record_keys: Longs | None = None,
    first: int = 0,
) -> pl.DataFrame:
    """One row per record that adds to the table; a missing value adds nothing.

    ``first`` is the number of the first record, where a table comes in parts.
    """
    frame = table.frame
    named = [
        tabulation.value,
        tabulation.weight,
        tabulation.contributor,
        tabulation.cost,
        tabulation.waiver,
    ]
    check_columns([name for name in named if name is not None], frame.columns)
    columns: dict[str, Any] = {name: plain_codes(frame[name]) for name in tabulation.by}
    weight = _weights(frame, tabulation)
    value = _values(frame, tabulation)
    columns |= {VALUE: value, WEIGHT: weight, SHOWN: value * weight, SIZE: np.abs(value) * weight}
    columns[KEY] = np.zeros(frame.height, dtype=np.int64) if record_keys is None else record_keys
    columns[SUM_KEY] = np.where(value == 0, 0, columns[KEY])
    columns[ROWS] = np.ones(frame.height, dtype=np.int64)
    columns[COST] = (
        _numbers(frame, tabulation, tabulation.cost) if tabulation.cost else np.zeros(frame.height)
    )
    columns[WAIVED] = _waivers(frame, tabulation)
    people = _contributors(table, tabulation)
    columns[PERSON] = first + np.arange(frame.height, dtype=np.int64) if people is None else people
    records = pl.DataFrame(columns)
    return records.filter(pl.col(VALUE).is_not_nan()) if np.isnan(value).any() else records


def plain_codes(column: pl.Series) -> pl.Series:
    """A column of codes; categories as texts, since each part may number them in its own way."""
    texts = isinstance(column.dtype, pl.Categorical | pl.Enum)
    return column.cast(pl.String) if texts else column


def cell_of(frame: pl.DataFrame, by: Sequence[str], row: int) -> str:
    """The cell of a row by its codes."""
    codes = frame.select(by).row(row)
    return " × ".join(MISSING if code is None else str(code) for code in codes)


def has_named_contributors(table: Table, tabulation: Tabulation) -> bool:
    """Whether several records may be one contributor's."""
    return tabulation.contributor is not None or table.people is not None


def _weights(frame: pl.DataFrame, tabulation: Tabulation) -> Floats:
    name = tabulation.weight
    if name is None:
        return np.ones(frame.height)
    weight = _numbers(frame, tabulation, name)
    if np.isnan(weight).any():
        raise ColumnError(
            "Column '{name}' is missing in {n:,} rows, the first of them in cell {cell}: every "
            "record needs its weight.",
            name=name,
            n=int(np.isnan(weight).sum()),
            cell=cell_of(frame, tabulation.by, int(np.argmax(np.isnan(weight)))),
        )
    if (weight < 0).any():
        raise ColumnError(
            "Column '{name}' has a negative weight in cell {cell}.",
            name=name,
            cell=cell_of(frame, tabulation.by, int(np.argmax(weight < 0))),
        )
    return weight


def _values(frame: pl.DataFrame, tabulation: Tabulation) -> Floats:
    counted = tabulation.shown_statistic == "count" or tabulation.value is None
    return np.ones(frame.height) if counted else _numbers(frame, tabulation, str(tabulation.value))


def _numbers(frame: pl.DataFrame, tabulation: Tabulation, name: str) -> Floats:
    """A numeric column; missing as NaN."""
    column = frame[name]
    if not (column.dtype.is_numeric() or column.dtype == pl.Null):
        raise ColumnError("Column '{name}' is not numeric, so it cannot be added up.", name=name)
    numbers = column.cast(pl.Float64).to_numpy()
    if np.isinf(numbers).any():
        raise ColumnError(
            "Column '{name}' has an infinite value in cell {cell}, which cannot be added up.",
            name=name,
            cell=cell_of(frame, tabulation.by, int(np.argmax(np.isinf(numbers)))),
        )
    return numbers


def _waivers(frame: pl.DataFrame, tabulation: Tabulation) -> Any:
    if tabulation.waiver is None:
        return np.zeros(frame.height, dtype=np.bool_)
    column = frame[tabulation.waiver]
    if not (column.dtype == pl.Boolean or column.dtype.is_numeric()):
        raise ColumnError(
            "Column '{name}' must say with true or false who agreed to be published.",
            name=tabulation.waiver,
        )
    return column.cast(pl.Boolean).fill_null(value=False).to_numpy()


def _contributors(table: Table, tabulation: Tabulation) -> pl.Series | None:
    """The contributor of each record; None if each record is its own."""
    name = tabulation.contributor
    if name is None:
        return _people(table)
    column = table.frame[name]
    if column.null_count():
        raise ColumnError(
            "Column '{name}' is missing in {n:,} rows, the first of them in cell {cell}: every "
            "record needs its contributor.",
            name=name,
            n=column.null_count(),
            cell=cell_of(table.frame, tabulation.by, int(column.is_null().arg_max() or 0)),
        )
    return plain_codes(column)


def _people(table: Table) -> pl.Series | None:
    """The person of each record, by name where a column tells it: parts number nobody alike."""
    if table.people is None:
        return None
    entity = table.roles.entity
    if entity is not None and table.linked:
        return plain_codes(table.frame[entity])
    return pl.Series(table.people)
