"""The columns named by a step: at least one, each once, of a type the step can use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import polars as pl
from pydantic import AfterValidator, Field

from microveil.errors import ColumnError
from microveil.tables.door import refuse_nested
from microveil.tables.roles import Columns
from microveil.tables.table import Table
from microveil.texts import phrase


def _each_once(columns: tuple[str, ...]) -> tuple[str, ...]:
    doubled = [name for name in dict.fromkeys(columns) if columns.count(name) > 1]
    if doubled:
        raise ValueError(
            phrase("Column {doubled:quoted} is named more than once.", doubled=doubled)
        )
    return columns


SomeColumns = Annotated[Columns, Field(min_length=1), AfterValidator(_each_once)]
"""One or more column names, each once; a lone name stands for a list of one.

With the default ``()`` a step may go unnamed where it is used on a single column by itself; in a
recipe it must name its columns.
"""


def usable_frame(table: Table, columns: Sequence[str], step: str) -> pl.DataFrame:
    """The table's frame, once all columns are known to be there and to hold plain values."""
    if not columns:
        raise ColumnError("Step '{step}' names no column: say which `columns`.", step=step)
    table.require(columns)
    refuse_nested(table.frame, tuple(columns), phrase("Step '{step}'", step=step))
    return table.frame


def refuse_kinds(
    frame: pl.DataFrame, columns: Sequence[str], fits: Callable[[pl.DataType], bool], needs: str
) -> None:
    """Raise an error unless every column fits; ``needs`` says what is required and what to do.

    A column without any value has no type yet and passes.
    """
    wrong = [
        name for name in columns if frame.schema[name] != pl.Null and not fits(frame.schema[name])
    ]
    if wrong:
        kinds = ", ".join(f"'{name}' ({frame.schema[name].base_type()})" for name in wrong)
        raise ColumnError("{needs} Columns of another type: {kinds}.", needs=needs, kinds=kinds)


def apart(columns: Sequence[str], others: Sequence[str], fields: tuple[str, str]) -> None:
    """Raise ``ValueError`` (for a validator) if a column is in both lists."""
    both = [name for name in columns if name in others]
    if both:
        raise ValueError(
            phrase(
                "Column {both:quoted} cannot be in both {one} and {other}.",
                both=both,
                one=fields[0],
                other=fields[1],
            )
        )
