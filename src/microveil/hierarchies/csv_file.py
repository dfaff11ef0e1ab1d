"""Hierarchies in ARX's layout: a CSV file, one row per value, one column per level."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING

import polars as pl

from microveil.errors import HierarchyError
from microveil.files import write_text
from microveil.hierarchies.hierarchy import Hierarchy
from microveil.hierarchies.text_files import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

SEPARATORS = (";", ",", "\t", "|")
"""Tried in this order; the first that splits the first row is used."""


def read_csv(
    path: str | Path,
    *,
    separator: str | None = None,
    header: bool = False,
    names: Sequence[str] = (),
) -> Hierarchy:
    """Read an ARX hierarchy; the separator is detected, a ``header`` row names the levels."""
    return parse_csv(
        read_text(path), separator=separator, header=header, names=names, source=str(path)
    )


def parse_csv(
    text: str,
    *,
    separator: str | None = None,
    header: bool = False,
    names: Sequence[str] = (),
    source: str = "hierarchy",
) -> Hierarchy:
    r"""Parse an ARX hierarchy from text.

    >>> parse_csv("1;0-9;*\n2;0-9;*\n10;10-19;*\n").n_labels
    (3, 2, 1)
    """
    rows = _rows(text, separator or _separator(text), source)
    if header and rows:
        names = rows[0]
        rows = rows[1:]
    if not rows:
        raise HierarchyError(
            "{source}: The hierarchy is empty. It needs one row for each value.", source=source
        )
    _refuse_ragged(rows, source)
    columns = [pl.Series(list(column), dtype=pl.String) for column in zip(*rows, strict=True)]
    return Hierarchy.of(columns, names, source)


def write_csv(
    hierarchy: Hierarchy, path: str | Path, *, separator: str = ";", header: bool = False
) -> None:
    """Write a hierarchy in ARX's layout; ``header`` adds a row of level names."""
    write_text(format_csv(hierarchy, separator=separator, header=header), path)


def format_csv(hierarchy: Hierarchy, *, separator: str = ";", header: bool = False) -> str:
    """Format a hierarchy in ARX's layout as text."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    if header:
        writer.writerow(hierarchy.names)
    writer.writerows(hierarchy.text_rows())
    return out.getvalue()


def _separator(text: str) -> str:
    for separator in SEPARATORS:
        reader = csv.reader(io.StringIO(text), delimiter=separator)
        try:
            first = next((row for row in reader if row), [])
        except csv.Error:  # a label beyond the reader's limit; another separator may cut it
            continue
        if len(first) > 1:
            return separator
    return SEPARATORS[0]


def _rows(text: str, separator: str, source: str) -> list[list[str]]:
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        return [row for row in reader if row]
    except (csv.Error, TypeError) as error:
        raise HierarchyError(
            "{source}: The hierarchy is not readable CSV ({error}).", source=source, error=error
        ) from None


def _refuse_ragged(rows: list[list[str]], source: str) -> None:
    widths = Counter(len(row) for row in rows)
    usual = widths.most_common(1)[0][0]
    if len(widths) > 1:
        first = next(number for number, row in enumerate(rows, 1) if len(row) != usual)
        ragged = len(rows) - widths[usual]
        raise HierarchyError(
            "{source}: {ragged} of {n_rows} rows do not have {usual} columns like the others "
            "(the first is row {first}). Give every value a label at each level.",
            source=source,
            ragged=ragged,
            n_rows=len(rows),
            usual=usual,
            first=first,
        )
