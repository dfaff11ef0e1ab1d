"""What a format has no place for: named by its column, never by a cell."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from microveil.errors import FileError, quoted
from microveil.files.formats import Format


@contextmanager
def naming_unfit_columns(frame: pl.DataFrame, known: Format) -> Iterator[None]:
    """Name the column that a format has no place for; Polars' own message may quote cells."""
    try:
        yield
    except _unwritable_errors():
        raise FileError(
            f"{known.title} cannot hold column {quoted(_unfit(frame, known))}: some of its values "
            "are beyond what the format has. Round or drop them, or write Parquet or CSV."
        ) from None


def _unwritable_errors() -> tuple[type[Exception], ...]:
    """What Polars raises, and Arrow where it is in use at all."""
    arrow = sys.modules.get("pyarrow")
    others = () if arrow is None else (arrow.ArrowException,)
    return (pl.exceptions.PolarsError, OverflowError, *others)


def _unfit(frame: pl.DataFrame, known: Format) -> list[str]:
    """The columns that cannot be stored alone; all of them where none is at fault by itself."""
    unfit = []
    for name in frame.columns:
        try:
            known.stored(frame.select(name))
        except pl.exceptions.PolarsError:
            unfit.append(name)
    return unfit or frame.columns
