"""Values that a format cannot hold: reported by column, never by cell."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from microveil.errors import FileError, quoted
from microveil.files.formats import Format


@contextmanager
def naming_unfit_columns(frame: pl.DataFrame, known: Format) -> Iterator[None]:
    """Name the column that a format cannot hold; Polars' own message may quote cells."""
    try:
        yield
    except _unwritable_errors():
        raise FileError(
            f"{known.title} cannot hold column {quoted(_unfit(frame, known))}: some of its values "
            "are beyond its range. Round or drop them, or write Parquet or CSV."
        ) from None


def _unwritable_errors() -> tuple[type[Exception], ...]:
    """The errors that Polars raises, and Arrow if it is in use."""
    arrow = sys.modules.get("pyarrow")
    others = () if arrow is None else (arrow.ArrowException,)
    return (pl.exceptions.PolarsError, OverflowError, *others)


def _unfit(frame: pl.DataFrame, known: Format) -> list[str]:
    """The columns that cannot be stored by themselves; all columns if there is no such one."""
    unfit = []
    for name in frame.columns:
        try:
            known.stored(frame.select(name))
        except pl.exceptions.PolarsError:
            unfit.append(name)
    return unfit or frame.columns
