"""Options: what a caller may say about a file beside its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias, TypedDict

import polars as pl

from microveil.files.labels import Labels

TypeName: TypeAlias = "str | type[pl.DataType] | pl.DataType"


class ReadOptions(TypedDict, total=False):
    """What may be said about a file that is read; None, or nothing said, leaves it open."""

    separator: str | None
    """Between the fields of a CSV line: ``,`` ``;`` tab or ``|``."""
    encoding: str | None
    """Of a CSV file, in Python's spelling: ``utf-8``, ``utf-16``, ``windows-1252`` …"""
    decimal: str | None
    """Decimal mark of numbers in a CSV file: ``.`` or ``,``."""
    dates: bool | None
    """Whether ISO dates and timestamps in text files become dates; true unless said."""
    columns: Sequence[str] | None
    """The columns to read, in this order; all of them unless said."""
    types: Mapping[str, TypeName] | None
    """Types of some columns: a Polars type, or text, integer, number, boolean, date, datetime."""
    sheet: str | int | None
    """Sheet of a workbook, by name or by number from 1; the first unless said."""
    table: str | None
    """Table of a database; its only one unless said."""
    query: str | None
    """Query to a database, which may only read."""


class WriteOptions(TypedDict, total=False):
    """What may be said about a file that is written; None leaves it open."""

    separator: str | None
    """Between the fields of a CSV line; a comma, in ``.tsv`` files a tab, unless said."""
    encoding: str | None
    """Of a CSV file: ``utf-8``, or ``utf-8-sig`` with the mark that spreadsheets look for."""
    decimal: str | None
    """Decimal mark of numbers in a CSV file: ``.`` unless said."""
    sheet: str | None
    """Name of the workbook's one sheet."""
    table: str | None
    """Table of a database."""
    replace: bool | None
    """Whether a table that is there already is replaced as a whole."""
    append: bool | None
    """Whether rows are added to a table that is there already."""
    labels: Labels | None
    """Labels of the columns and their codes, for SPSS and Stata files."""
