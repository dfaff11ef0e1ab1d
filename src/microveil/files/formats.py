"""Formats: what can be read and written, by file suffix or URL scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError, did_you_mean, listing, quote
from microveil.files import parquet, statistical
from microveil.files.databases import duckdb, postgresql, sqlite
from microveil.files.databases.address import (
    Address,
    engine_of,
    is_url,
    without_password,
    without_table,
)
from microveil.files.delimited_text import delimited
from microveil.files.folders import files_of, is_many
from microveil.files.json import lines, records
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.sheets import excel, ods
from microveil.files.sources import expand_home
from microveil.files.statistical import r_files
from microveil.texts import Message, phrase

Back = Callable[[Any, pl.Schema, WriteOptions], pl.LazyFrame | pl.DataFrame]


@dataclass(frozen=True)
class Format:
    """How one kind of file is read and written, and which options it supports."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    load: Callable[[Any, ReadOptions], pl.LazyFrame | pl.DataFrame]
    """Returns a plan if the format can be read in parts, otherwise the frame."""
    sink: Callable[[Any, pl.Schema, WriteOptions, Placing], AbstractContextManager[Sink]] | None
    """Opens a new file for appending; None if the format is read-only."""
    to_stored: Callable[[pl.DataFrame], pl.DataFrame]
    """A frame as the format holds it: with the types and values that come back."""
    back: Back | None = None
    """Reads what was written, in the types of that frame; databases do so before they commit."""
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    lazy: bool = False
    parts: Callable[[Any, ReadOptions, int], Iterator[pl.DataFrame]] | None = None
    """Reads in parts if that takes less memory than collecting the plan in parts."""
    many: bool = False
    """Whether a folder or a pattern of such files is read as one table."""
    runs_formulas: bool = False
    """Whether programs that open such files may interpret some text as formulas."""
    refuse_many: Callable[[int], None] | None = None
    """Raises an error if a table has more records than the format holds; None without a limit."""
    longest_whole: int | None = None
    """Whole numbers from here on are written as text, since programs would lose digits."""
    exact_whole: int | None = None
    """The largest whole number that the format holds exactly; None without a limit."""
    tables: Callable[[Address], list[str]] | None = None
    """Names of a database's tables; None for formats with one table per file."""
    exists: Callable[[Address], bool] | None = None
    """Whether a database has the table to write, by the name it would use itself."""
    keys: Callable[[Address], frozenset[str]] | None = None
    """What identifies a table on a server, however it is addressed; None for files."""

    @property
    def database(self) -> bool:
        """Whether the format has its own transactions instead of a file to replace."""
        return self.tables is not None


def _options(*names: str) -> frozenset[str]:
    return frozenset(names)


_CSV_READ = _options("separator", "encoding", "decimal", "dates")
_CSV_WRITE = _options("separator", "encoding", "decimal")
_SQL_READ = _options("table", "query")
_SQL_WRITE = _options("table", "replace", "append")

FORMATS: tuple[Format, ...] = (
    Format("csv", "CSV", (".csv", ".tsv", ".tab", ".txt", ".csv.gz", ".tsv.gz"),
           delimited.load, delimited.sink, delimited.to_stored, delimited.back,
           _CSV_READ, _CSV_WRITE, lazy=True, many=True, runs_formulas=True),
    Format("parquet", "Parquet", (".parquet", ".pq"), parquet.load, parquet.sink,
           parquet.to_stored, parquet.back, lazy=True, parts=parquet.parts, many=True),
    Format("xlsx", "XLSX", (".xlsx", ".xlsm"), excel.load, excel.sink, excel.to_stored, excel.back,
           _options("sheet"), _options("sheet"), runs_formulas=True, refuse_many=excel.refuse_many,
           longest_whole=excel.MOST_DIGITS),
    Format("jsonl", "JSON lines", (".jsonl", ".ndjson"), lines.load, lines.sink,
           lines.to_stored, lines.back, _options("dates"), lazy=True),
    Format("json", "JSON", (".json",), records.load, records.sink,
           lines.to_stored, records.back, _options("dates")),
    Format("ods", "ODS", (".ods",), ods.load, ods.sink, ods.to_stored, ods.back,
           _options("sheet"), _options("sheet"), runs_formulas=True, refuse_many=ods.refuse_many,
           longest_whole=excel.MOST_DIGITS),
    Format("spss", "SPSS", (".sav", ".zsav"), statistical.load, statistical.sink,
           partial(statistical.to_stored, kind="sav"), statistical.back, writes=_options("labels"),
           exact_whole=statistical.EXACT),
    Format("stata", "Stata", (".dta",), statistical.load, statistical.sink,
           partial(statistical.to_stored, kind="dta"), statistical.back, writes=_options("labels"),
           exact_whole=statistical.EXACT),
    Format("sas", "SAS", (".sas7bdat",), statistical.load, None,
           partial(statistical.to_stored, kind="sas7bdat")),
    Format("r", "R data", (".rda", ".rdata", ".rds"), r_files.load, None, r_files.to_stored,
           None, _options("table")),
    Format("sqlite", "SQLite", (".sqlite", ".sqlite3", ".db"), sqlite.load, sqlite.sink,
           sqlite.to_stored, None, _SQL_READ, _SQL_WRITE, tables=sqlite.tables_of,
           exists=sqlite.exists),
    Format("duckdb", "DuckDB", (".duckdb",), duckdb.load, duckdb.sink,
           duckdb.to_stored, None, _SQL_READ, _SQL_WRITE, parts=duckdb.parts,
           tables=duckdb.tables_of, exists=duckdb.exists),
    Format("postgresql", "PostgreSQL", (), postgresql.load, postgresql.sink,
           postgresql.to_stored, None, _SQL_READ, _SQL_WRITE, tables=postgresql.tables_of,
           exists=postgresql.exists, keys=postgresql.keys_of),
)  # fmt: skip
BY_NAME = {known.name: known for known in FORMATS}
BY_SUFFIX = {suffix: known for known in FORMATS for suffix in known.suffixes}
_ANYWHERE = _options("columns", "types", "labels")


def format_of(source: str | Path, name: str | None = None) -> Format:
    """The format by name, or by the suffix or URL scheme.

    >>> format_of("people.csv.gz").name
    'csv'
    """
    if name is not None:
        if name not in BY_NAME:
            hint = did_you_mean(name, BY_NAME)
            raise FileError(
                "Unknown format '{name}'.{hint} Known: {by_name}.",
                name=name,
                hint=hint,
                by_name=BY_NAME,
            )
        return BY_NAME[name]
    text = str(source)
    if is_url(text):
        return BY_NAME[engine_of(text)]
    lower = Path(text).name.lower()
    for suffix in sorted(BY_SUFFIX, key=len, reverse=True):
        if lower.endswith(suffix):
            return BY_SUFFIX[suffix]
    ending = Path(text).suffix
    what = (
        Message("files.unknown_kind", "Unknown kind of file '{ending}'", ending=ending)
        if ending
        else Message("files.no_suffix", "The format follows from the suffix")
    )
    raise FileError(
        Message(
            "files.format",
            "{file}: {what}.{hint} Known: {known}. Rename it, or give its format.",
            file=display_source(text),
            what=what,
            hint=_nearest(Path(text)),
            known=listing(BY_SUFFIX, most=40),
        )
    )


def _nearest(path: Path) -> str:
    """A hint at a file of the same name that is there, else at the nearest suffix."""
    there = [one.name for suffix in BY_SUFFIX if (one := path.with_suffix(suffix)).is_file()]
    return did_you_mean(path.name, there) or did_you_mean(path.suffix, BY_SUFFIX)


def source_format(source: str | Path, name: str | None = None) -> Format:
    """The format of a source: of a folder or a pattern, that of all its files."""
    if not is_many(source):
        return format_of(source, name)
    kinds: dict[str, Path] = {}
    # Names that end alike are of one kind.
    for file in {tuple(file.suffixes[-2:]): file for file in files_of(source)}.values():
        try:
            known = format_of(file, name)
        except FileError:
            raise _unlike(source, file, phrase("is of an unknown kind")) from None
        if not known.many:
            raise _unlike(source, file, phrase("is {title}", title=known.title))
        kinds.setdefault(known.name, file)
    if len(kinds) > 1:
        raise FileError(
            "{source} stands for files of several formats ({files:quoted}). Name those of one "
            "by a pattern such as '*.parquet'.",
            source=source,
            files=map(str, kinds.values()),
        )
    return BY_NAME[next(iter(kinds))]


def _unlike(source: str | Path, file: Path, what: str) -> FileError:
    return FileError(
        "{source}: of a folder or a pattern, Parquet or CSV files are read, and {name} "
        "{what}. Name those to read by a pattern such as '*.parquet', or give their format.",
        source=source,
        name=file.name,
        what=what,
    )


def place_of(source: str | Path, known: Format) -> str | Path:
    """The source as its format expects it: a path or, for a database, a URL."""
    if known.database and is_url(str(source)):
        return str(source)
    return expand_home(source)


def part_target(
    target: str | Path, name: str, options: Mapping[str, Any]
) -> tuple[str | Path, dict[str, Any]]:
    """Where a further table is written: beside the first, or in its database.

    >>> str(part_target("out.csv.gz", "cases", {})[0])
    'out.cases.csv.gz'
    >>> part_target("sqlite:///a.db?table=t", "cases", {})[1]["table"]
    't_cases'
    """
    known = format_of(target)
    if known.database:
        address = Address.of(target, options.get("table"), None, known.name)
        return without_table(str(target)), {**options, "table": f"{address.target()}_{name}"}
    return place_beside(target, name), dict(options)


def place_beside(target: str | Path, name: str) -> Path:
    """Where a further table is written beside a file or a folder of any name.

    >>> str(place_beside("out", "cases"))
    'out.cases'
    """
    path = Path(target)
    fitting = [suffix for suffix in BY_SUFFIX if path.name.lower().endswith(suffix)]
    suffix = path.name[-len(max(fitting, key=len)) :] if fitting else path.suffix
    stem = path.name.removesuffix(suffix) if suffix else path.name
    return path.with_name(f"{stem}.{name}{suffix}")


def check_read_options(known: Format, options: Mapping[str, object]) -> None:
    """Raise an error for an option that does not exist or does not suit the format."""
    _check(known, options, ReadOptions.__annotations__, known.reads | _ANYWHERE)


def check_write_options(known: Format, options: Mapping[str, object]) -> None:
    """Raise an error for an option that does not exist or does not suit the format."""
    # Labels from another package's file are not dropped by mistake, but for lack of a place.
    _check(known, options, WriteOptions.__annotations__, known.writes | _options("labels"))


def _check(
    known: Format,
    options: Mapping[str, object],
    names: Mapping[str, object],
    understood: frozenset[str],
) -> None:
    for name, value in options.items():
        if name not in names:
            hint = did_you_mean(name, names)
            raise FileError(
                "Unknown option '{name}'.{hint} Known: {names}.",
                name=name,
                hint=hint,
                names=sorted(names),
            )
        if value is not None and name not in understood:
            fits = quote(sorted(understood)) or Message("noun.none", "none")
            raise FileError(
                "{title} has no option '{name}'. Options that go with it: {fits}.",
                title=known.title,
                name=name,
                fits=fits,
            )


def display_source(source: str | Path) -> str:
    """The source as messages may show it: a URL without its password."""
    return without_password(str(source))
