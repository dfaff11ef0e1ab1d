"""Options: what a caller may specify about a file besides its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

import polars as pl

from microveil.files.columns.column_reading import ColumnReading, Reading
from microveil.files.labels import Labels

TypeName: TypeAlias = "str | type[pl.DataType] | pl.DataType | ColumnReading | Mapping[str, Any]"


class ReadOptions(TypedDict, total=False):
    """Options for reading a file; None means unspecified."""

    separator: str | None
    """Field separator of a CSV file: ``,`` ``;`` tab or ``|``."""
    encoding: str | None
    """Encoding of a CSV file, in Python's spelling: ``utf-8``, ``utf-16``, ``windows-1252`` …"""
    decimal: str | None
    """Decimal mark of numbers in a CSV file: ``.`` or ``,``."""
    dates: bool | None
    """Whether ISO dates and timestamps in text files become dates; true by default."""
    columns: Sequence[str] | None
    """The columns to read, in this order; by default all."""
    types: Mapping[str, TypeName] | None
    """Types of some columns: a Polars type, or text, integer, number, boolean, date, datetime, or a
    date format such as ``%d/%m/%Y``."""
    reading: Reading | None
    """What a recipe says about how its data are read; options that are given come before it."""
    sheet: str | int | None
    """Sheet of a workbook, by name or by number from 1; by default the first."""
    table: str | None
    """Table of a database; by default its only one."""
    query: str | None
    """Read-only query to a database."""
    labels: str | Path | None
    """Code book of the data: a CSV file with column, code and label."""


class WriteOptions(TypedDict, total=False):
    """Options for writing a file; None means unspecified."""

    separator: str | None
    """Field separator of a CSV file; by default a comma, in ``.tsv`` files a tab."""
    encoding: str | None
    """Encoding of a CSV file: ``utf-8``, ``utf-8-sig`` with the mark that spreadsheets expect, or
    a code page such as ``windows-1252``."""
    decimal: str | None
    """Decimal mark of numbers in a CSV file; ``.`` by default."""
    sheet: str | None
    """Name of the workbook's only sheet."""
    table: str | None
    """Table of a database."""
    replace: bool | None
    """Whether an existing table is replaced as a whole."""
    append: bool | None
    """Whether rows are appended to an existing table."""
    labels: Labels | None
    """Labels of the columns and their codes, for SPSS and Stata files."""
