"""Sheets of a workbook and tables of a database, to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from microveil.errors import MicroveilError
from microveil.files import format_of
from microveil.files.databases.address import Address


def sheets_of(path: Path | None, name: str) -> Mapping[str, list[str]]:
    """Names by the option that chooses one; nothing where there is only one table."""
    if path is None:
        return {}
    known = format_of(name)
    if known.name == "xlsx":
        names = _sheets(path)
        return {"sheet": names} if len(names) > 1 else {}
    if known.tables is not None:
        try:
            names = known.tables(Address.of(path, None, None, known.name))
        except MicroveilError:
            return {}
        return {"table": names} if len(names) > 1 else {}
    return {}


def _sheets(path: Path) -> list[str]:
    import fastexcel

    try:
        return list(fastexcel.read_excel(path).sheet_names)
    except fastexcel.FastExcelError:
        return []
