"""TableSet: several tables by name, read from a folder, a workbook or a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from microveil.display import Card, Shown, grid
from microveil.errors import FileError
from microveil.files import read
from microveil.files.databases.address import is_url
from microveil.linked.links import Link, propose_links
from microveil.tables.door import to_polars

if TYPE_CHECKING:
    from microveil.linked.recipe import LinkedRecipe

FILES = (".csv", ".tsv", ".parquet", ".json", ".ndjson", ".xlsx", ".sav", ".dta")
BOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
DATABASES = {".sqlite": "sqlite", ".sqlite3": "sqlite", ".db": "sqlite", ".duckdb": "duckdb"}


@dataclass(frozen=True, eq=False, repr=False)
class TableSet(Shown):
    """Several tables by name; a linked recipe turns them into one release.

    >>> TableSet({"people": {"id": [1]}, "visits": {"people_id": [1, 1]}}).tables["visits"].height
    2
    """

    tables: Mapping[str, pl.DataFrame]

    if TYPE_CHECKING:  # what callers may pass; what is kept stands above

        def __init__(self, tables: Mapping[str, Any]) -> None: ...

    def __post_init__(self) -> None:
        """Accept frames of any kind."""
        frames = {name: to_polars(frame) for name, frame in self.tables.items()}
        object.__setattr__(self, "tables", frames)

    @classmethod
    def read(cls, source: str | Path, **options: Any) -> TableSet:
        """Read all tables of a folder (one file each), a workbook (one sheet each) or a database.

        A database is a file (``.sqlite``, ``.duckdb``) or a URL without a table.
        """
        if is_url(str(source)):
            return cls(_database(str(source), options))
        path = Path(source).expanduser()
        if path.is_dir():
            return cls(_folder(path, options))
        if path.suffix.lower() in BOOKS and path.exists():
            return cls(_workbook(path, options))
        if path.suffix.lower() in DATABASES and path.exists():
            return cls(_database(f"{DATABASES[path.suffix.lower()]}:///{path}", options))
        raise FileError(
            "{source}: several tables are read from a folder, a workbook (.xlsx, .ods) or a "
            "database (a .sqlite or .duckdb file, or a URL).",
            source=source,
        )

    def propose_links(self) -> list[Link]:
        """Links that names suggest and values confirm."""
        return propose_links(self.tables)

    def propose_recipe(self) -> LinkedRecipe:
        """A recipe to begin with: links, roles of each table, and who the people are."""
        from microveil.linked.proposing import propose_recipe

        return propose_recipe(self.tables)

    def card(self) -> Card:
        """Tables with their size; no cells."""
        rows = [(name, frame.height, frame.width) for name, frame in self.tables.items()]
        title = f"Set of {len(rows)} tables"
        return Card(title, (), (grid(("table", "rows", "columns"), rows),))


def _folder(path: Path, options: dict[str, Any]) -> dict[str, pl.DataFrame]:
    files = [one for one in sorted(path.iterdir()) if one.suffix.lower() in FILES]
    names = [one.stem for one in files]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled or not files:
        raise FileError(
            "{path}: a folder of tables has one file for each ({kinds}), each with a name of its "
            "own. Found {n} files; names that occur twice: {doubled:quoted}.",
            path=path,
            kinds=", ".join(FILES),
            n=len(files),
            doubled=doubled,
        )
    return {one.stem: read(one, **options) for one in files}


def _workbook(path: Path, options: dict[str, Any]) -> dict[str, pl.DataFrame]:
    import fastexcel

    sheets = fastexcel.read_excel(path).sheet_names
    return {name: read(path, sheet=name, **options) for name in sheets}


def _database(url: str, options: dict[str, Any]) -> dict[str, pl.DataFrame]:
    from microveil.files.databases import duckdb, postgresql, sqlite
    from microveil.files.databases.address import Address, engine_of

    kind = engine_of(url)
    address = Address.of(url, None, None, kind)
    known: dict[str, Any] = {"sqlite": sqlite, "duckdb": duckdb}
    tables = known.get(kind, postgresql).tables_of(address)
    joint = "&" if "?" in url else "?"
    return {name: read(f"{url}{joint}table={name}", **options) for name in tables}
