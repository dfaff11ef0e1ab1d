"""Columns of text or numbers that are dates: how they are written, and what is doubtful there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from microveil.app.inspection.result import Caution
from microveil.files.columns.finding_dates import DatesFound, find_dates
from microveil.texts import Message


def dates_in(frame: pl.DataFrame) -> dict[str, DatesFound]:
    """The columns that hold dates but are no dates yet, and how these are written.

    >>> list(dates_in(pl.DataFrame({"birth": ["31/12/1980"], "sex": ["f"]})))
    ['birth']
    """
    found = {column.name: find_dates(column) for column in frame.get_columns()}
    return {name: one for name, one in found.items() if one is not None}


def doubts(dates: Mapping[str, DatesFound]) -> Iterator[Caution]:
    """A caution for each column whose dates may be read wrongly, or not at all."""
    for name, found in dates.items():
        if found.doubtful:
            text = Message(
                "inspect.dates_in_column",
                "Dates in column '{name}': {found}",
                name=name,
                found=found.sentence(),
            )
            yield Caution("dates", (name,), text)
