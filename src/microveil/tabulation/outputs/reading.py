"""Outputs read from a folder: any CSV, XLSX, HTML or JSON table as cells with labels."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

from microveil.errors import FileError
from microveil.files.texts import parsed_yaml
from microveil.hierarchies import read_hierarchy
from microveil.tabulation.dimensions import hierarchy_rows
from microveil.tabulation.outputs.labels import is_hidden, is_total
from microveil.tabulation.outputs.sums import Key, table_sums

VALUES = ("value", "count", "n", "freq", "frequency")
"""Names of the column of values in a table with one row per cell."""
LINKS = "_links.yaml"
"""File that says which labels are sums of others: ``sums: [{total: employed, parts: [a, b]}]``."""
HIERARCHIES = (".hrc",)
"""Endings of files that say which codes are parts of others, as τ-Argus writes them."""
Grid = list[list[str]]


@dataclass(frozen=True)
class OutputTable:
    """A table that wants to leave, or has left: its cells by their labels."""

    name: str
    cells: dict[Key, float | None]
    """Value of each cell; None where it is suppressed. Totals have no label."""
    sums: tuple[tuple[Key, tuple[Key, ...]], ...]
    """Totals with their parts."""

    links: bool = False
    """Whether it only says which labels add up."""
    places: tuple[tuple[str, ...], ...] = ()
    """The labels of its cells by variable, totals without one."""

    @property
    def counts(self) -> bool:
        """Whether its numbers are counts."""
        known = [value for value in self.cells.values() if value is not None]
        return self.links or (
            bool(known) and all(value == round(value) and value >= 0 for value in known)
        )


def read_outputs(folder: str | Path) -> tuple[list[OutputTable], list[str]]:
    """The tables of a folder, and the names of files that hold none."""
    folder = Path(folder)
    if not folder.is_dir():
        raise FileError("{folder} is no folder of outputs.", folder=folder)
    tables: list[OutputTable] = []
    others: list[str] = []
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        if path.name == LINKS:
            tables.append(_read_links(path))
        if path.suffix.lower() in HIERARCHIES:
            tables.append(_read_hierarchy(path))
            continue
        if path.name.startswith((".", "_")) or path.name.endswith(".record.json"):
            continue
        name = str(path.relative_to(folder))
        found = [
            table
            for part, grid in _grids(path)
            if (table := table_of(f"{name}{part}", grid)) is not None
        ]
        tables += found
        if not found:
            others.append(name)
    if not tables and not others:
        raise FileError("{folder} holds no output to check.", folder=folder)
    return tables, others


def unify_labels(tables: Sequence[OutputTable]) -> list[OutputTable]:
    """The same tables with one spelling of each label, whatever its capitals and blanks."""
    spelled: dict[str, str] = {}

    def plain(label: str) -> str:
        return spelled.setdefault(" ".join(label.split()).casefold(), label)

    def key_of(key: Key) -> Key:
        return frozenset(map(plain, key))

    return [
        replace(
            table,
            cells={key_of(key): value for key, value in table.cells.items()},
            sums=tuple((key_of(total), tuple(map(key_of, parts))) for total, parts in table.sums),
            places=tuple(tuple(map(plain, labels)) for labels in table.places),
        )
        for table in tables
    ]


def _read_links(path: Path) -> OutputTable:
    """Labels that are sums of others, as a table without cells."""
    raw = parsed_yaml(path.read_text(encoding="utf-8"), str(path))
    try:
        sums = tuple(
            (frozenset([str(one["total"])]), tuple(frozenset([str(part)]) for part in one["parts"]))
            for one in raw["sums"]
        )
    except (KeyError, TypeError):
        raise FileError(
            "{path}: write sums as a list of a total and its parts.", path=path
        ) from None
    return OutputTable(path.name, {}, sums, links=True)


def _read_hierarchy(path: Path) -> OutputTable:
    """Codes with their parts, as a table without cells."""
    parts: dict[str, dict[str, None]] = {}
    for row in hierarchy_rows(read_hierarchy(path)):
        for low, high in pairwise(dict.fromkeys(row)):
            parts.setdefault(high, {})[low] = None
    sums = tuple(
        (frozenset([high]), tuple(frozenset([low]) for low in lows)) for high, lows in parts.items()
    )
    return OutputTable(path.name, {}, sums, links=True)


def _grids(path: Path) -> Iterator[tuple[str, Grid]]:
    kind = path.suffix.lower()
    try:
        if kind in {".csv", ".tsv"}:
            yield "", _read_csv(path)
        elif kind == ".json":
            yield from _json_grids(json.loads(path.read_text(encoding="utf-8")))
        elif kind in {".html", ".htm"}:
            parser = _Tables()
            parser.feed(path.read_text(encoding="utf-8"))
            for number, grid in enumerate(parser.tables, 1):
                yield (f" table {number}" if len(parser.tables) > 1 else ""), grid
        elif kind == ".xlsx":
            yield from _sheets(path)
    except (OSError, ValueError, csv.Error) as error:
        raise FileError(
            "{path}: cannot be read as a table ({reason}).", path=path, reason=str(error)
        ) from None


def _read_csv(path: Path) -> Grid:
    text = path.read_text(encoding="utf-8-sig")
    first = text.partition("\n")[0]
    sign = max(",;\t", key=first.count)
    return [row for row in csv.reader(text.splitlines(), delimiter=sign) if any(row)]


def _sheets(path: Path) -> Iterator[tuple[str, Grid]]:
    import fastexcel

    book = fastexcel.read_excel(str(path))
    for name in book.sheet_names:
        frame = book.load_sheet(name, header_row=None, dtypes="string").to_polars()
        grid = [["" if one is None else str(one) for one in row] for row in frame.iter_rows()]
        yield f" sheet {name}", [row for row in grid if any(row)]


def _json_grids(raw: Any) -> Iterator[tuple[str, Grid]]:
    if isinstance(raw, list) and raw and all(isinstance(row, dict) for row in raw):
        names = list(raw[0])
        yield "", [names, *([_text(row.get(name)) for name in names] for row in raw)]
    elif isinstance(raw, dict) and {"columns", "data"} <= set(raw):
        index = raw.get("index")
        rows = [
            [*([_text(index[at])] if index else []), *map(_text, row)]
            for at, row in enumerate(raw["data"])
        ]
        yield "", [[*([""] if index else []), *map(str, raw["columns"])], *rows]
    elif isinstance(raw, dict) and raw and all(isinstance(one, dict) for one in raw.values()):
        rows_of = list(dict.fromkeys(code for column in raw.values() for code in column))
        body = [[code, *(_text(column.get(code)) for column in raw.values())] for code in rows_of]
        yield "", [["", *map(str, raw)], *body]


def _text(value: Any) -> str:
    return "" if value is None else str(value)


class _Tables(HTMLParser):
    """The tables of a page as rows of text."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Grid] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell."""
        del attrs
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in {"td", "th"} and self.tables and self.tables[-1]:
            self.tables[-1][-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        if tag in {"td", "th"}:
            self._inside = False

    def handle_data(self, data: str) -> None:
        """Take the text of a cell."""
        if self._inside:
            self.tables[-1][-1][-1] += data.strip()


def table_of(name: str, grid: Grid) -> OutputTable | None:
    """A grid of text as a table: one row per cell, or codes down and across; None if neither."""
    grid = [row for row in grid if row]
    if len(grid) < 2:  # noqa: PLR2004  a head and a row
        return None
    head, *body = grid
    body = [[*row, *[""] * (len(head) - len(row))][: len(head)] for row in body]
    lower = [one.strip().lower() for one in head]
    value = next((lower.index(one) for one in VALUES if one in lower), None)
    texts = [at for at in range(len(head)) if not _is_numeric([row[at] for row in body])]
    if value is not None and value not in texts:
        keys = [at for at in range(len(head)) if at != value and lower[at] != "status"]
        rows = [([row[at] for at in keys], row[value]) for row in body]
        return _build(
            name, [(_labels(labels, [head[at] for at in keys]), text) for labels, text in rows]
        )
    down = [at for at in texts if at < _first_numeric(head, texts)] or [0]
    across = [at for at in range(len(head)) if at not in down]
    if not across:
        return None
    names = [head[at] for at in down]
    cells = [
        (_labels([*(row[at] for at in down), head[column]], [*names, ""]), row[column])
        for row in body
        for column in across
    ]
    return _build(name, cells)


def _first_numeric(head: Sequence[str], texts: Sequence[int]) -> int:
    return next((at for at in range(len(head)) if at not in texts), len(head))


def _is_numeric(column: Sequence[str]) -> bool:
    """Whether a column holds numbers and marks of suppressed cells, and at least one number."""
    filled = [one for one in column if one.strip() and not is_hidden(one)]
    return bool(filled) and all(number_of(one) is not None for one in filled)


def number_of(text: str) -> float | None:
    """A number, with or without signs between thousands."""
    try:
        return float(text.replace(",", "").replace(" ", ""))
    except ValueError:
        return None


def _labels(codes: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Labels of a cell, one for each variable; a bare number is told with its variable."""
    return tuple(
        f"{name} {code.strip()}".strip() if number_of(code) is not None and name else code.strip()
        for code, name in zip(codes, names, strict=True)
    )


def _build(name: str, rows: list[tuple[tuple[str, ...], str]]) -> OutputTable | None:
    cells: dict[Key, float | None] = {}
    places: dict[tuple[str, ...], Key] = {}
    for labels, text in rows:
        value = number_of(text)
        if value is None and text.strip() and not is_hidden(text):
            continue
        plain = tuple("" if is_total(label) else label for label in labels)
        key = frozenset(filter(None, plain))
        places[plain] = key
        cells[key] = value
    if not cells:
        return None
    return OutputTable(name, cells, tuple(table_sums(places, cells)), places=tuple(places))
