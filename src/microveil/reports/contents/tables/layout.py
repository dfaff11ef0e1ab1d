"""A table as people read it: the codes of one variable across, all others down."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from microveil.tabulation.cell_table import CellTable

SUPPRESSED = "c"
"""What stands for a suppressed cell: confidential."""


class Line(NamedTuple):
    """A line of a table."""

    codes: tuple[str, ...]
    depth: int
    """How many branches stand above the first code."""
    values: tuple[float | str | None, ...]
    """Numbers; the sign of confidential cells; None for empty ones."""


class Layout(NamedTuple):
    """A table to show."""

    title: str
    down: tuple[str, ...]
    across: tuple[str, ...]
    """Codes of the last variable, or the name of the only column."""
    lines: tuple[Line, ...]


def layout_of(table: CellTable, frame: pl.DataFrame) -> Layout:
    """Arrange the rows of a published table."""
    names = [dimension.name for dimension in table.dimensions]
    down, last = (names[:-1], names[-1]) if len(names) > 1 else (names, None)
    across = table.dimensions[-1].codes if last else (table.tabulation.shown_statistic,)
    place = {code: at for at, code in enumerate(across)}
    first = table.dimensions[0]
    depths = dict(zip(first.codes, first.depths, strict=True))
    rows: dict[tuple[str, ...], list[float | str | None]] = {}
    for row in frame.iter_rows(named=True):
        key = tuple(row[name] for name in down)
        line = rows.setdefault(key, [None] * len(across))
        value = SUPPRESSED if row["value"] is None else row["value"]
        line[0 if last is None else place[row[last]]] = value
    lines = tuple(Line(key, depths[key[0]], tuple(values)) for key, values in rows.items())
    return Layout(table.tabulation.title, tuple(down), tuple(across), lines)
