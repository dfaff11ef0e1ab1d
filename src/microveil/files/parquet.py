"""Parquet: preserves every type, and reads and writes files larger than memory in parts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import polars as pl

from microveil.errors import FileError
from microveil.files.folders import files_of, same_columns
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import plain
from microveil.files.sources import choose_columns, reading, refuse_wide
from microveil.tables.arrow_package import need_arrow

TITLE = "Parquet"
_GROUP_ROWS = 1 << 17


def load(path: Path, options: ReadOptions) -> pl.LazyFrame:
    """A plan that reads the file."""
    with reading(path, TITLE):
        files = files_of(path)
    stamps = ((str(file), file.stat()) for file in files)
    names = list(_names(tuple((name, at.st_size, at.st_mtime_ns) for name, at in stamps)))
    plan = pl.scan_parquet(files, glob=False)
    return plan.select(choose_columns(names, options.get("columns"), path))


def parts(path: Path, options: ReadOptions, n_rows: int) -> Iterator[pl.DataFrame]:
    """The rows in order, ``n_rows`` at a time, whatever the size of the row groups."""
    schema = load(path, options).collect_schema()
    files = files_of(path)
    found = (part for file in files for part in _file_parts(file, schema, n_rows))
    return iter(found) if len(files) == 1 else _equal_parts(found, n_rows)


@lru_cache(maxsize=8)
def _names(stamps: tuple[tuple[str, int, int], ...]) -> tuple[str, ...]:
    """The columns of files that have the same ones; asked again of unchanged files, known."""
    return tuple(same_columns((Path(name), _schema(Path(name))) for name, *_ in stamps))


def _schema(file: Path) -> pl.Schema:
    with reading(file, TITLE):
        return pl.scan_parquet(file, glob=False).collect_schema()


def _file_parts(file: Path, schema: pl.Schema, n_rows: int) -> Iterator[pl.DataFrame]:
    with reading(file, TITLE):
        arrow = need_arrow("parquet")
        # Read page by page: row groups of a foreign file may be as large as the table.
        with arrow.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False) as opened:
            for batch in opened.iter_batches(n_rows, columns=schema.names()):
                part = pl.DataFrame(batch)
                same = part.schema == schema and part.columns == schema.names()
                yield part if same else part.select(schema.names()).cast(schema)


def _equal_parts(found: Iterator[pl.DataFrame], n_rows: int) -> Iterator[pl.DataFrame]:
    """The rows of many small parts in parts of the size asked for."""
    waiting: list[pl.DataFrame] = []
    n_waiting = 0
    for part in found:
        waiting.append(part)
        n_waiting += part.height
        if n_waiting >= n_rows:
            *full, rest = pl.concat(waiting).iter_slices(n_rows)
            yield from full
            waiting, n_waiting = [rest], rest.height
    if n_waiting:
        yield pl.concat(waiting)


@contextmanager
def sink(
    path: Path, schema: pl.Schema, _options: WriteOptions, _placing: Placing
) -> Iterator[Sink]:
    """Append frames to a new file, each as row groups of its own."""
    objects = [name for name, dtype in schema.items() if dtype == pl.Object]
    if objects:
        raise FileError(
            "Parquet cannot hold column {objects:quoted}: its cells are Python objects.",
            objects=objects,
        )
    refuse_wide(schema, TITLE)
    ParquetWriter = need_arrow("parquet").ParquetWriter  # noqa: N806  a class
    arrow = pl.DataFrame(schema=schema).to_arrow().schema
    with path.open("wb") as file, ParquetWriter(file, arrow, compression="zstd") as writer:
        yield Sink(lambda frame: writer.write_table(frame.to_arrow().cast(arrow), _GROUP_ROWS))


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as the file holds it; categories are compared as text."""
    return plain(frame, {})


def back(path: Path, schema: pl.Schema, _options: WriteOptions) -> pl.LazyFrame:
    """A plan that reads a file written by this module, with the types it was written with."""
    plan = pl.scan_parquet(path, glob=False)
    names = [name for name in plan.collect_schema().names() if name in schema]
    return plan.select(pl.col(name).cast(schema[name]) for name in names)
