"""Sorting columns of a table larger than memory: DuckDB sorts temporary files on disk."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import polars as pl

from microveil.cores import n_threads
from microveil.errors import FileError
from microveil.planning.counting import quoted_name, simple
from microveil.tables.arrow_package import need_arrow

BATCH = 1 << 17
"""Rows that are read or written at a time."""


def can_sort(schema: pl.Schema, columns: Sequence[str]) -> bool:
    """Whether columns can be sorted on disk: DuckDB is installed and holds their types."""
    return find_spec("duckdb") is not None and all(simple(schema[name]) for name in columns)


@dataclass(frozen=True)
class Sorter:
    """Sorts temporary tables in a folder, within a memory limit."""

    folder: Path
    memory_limit: int
    """Bytes that sorting may use."""

    def store(self, frames: Iterable[pl.DataFrame]) -> Path:
        """Store frames, one after another, as a temporary table."""
        ParquetWriter = need_arrow("parquet").ParquetWriter  # noqa: N806  a class
        path = self._new("parquet")
        writer = None
        try:
            for frame in frames:
                table = frame.to_arrow()
                if writer is None:
                    writer = ParquetWriter(path, table.schema, compression="lz4")
                writer.write_table(table.cast(writer.schema), BATCH)
        finally:
            if writer is not None:
                writer.close()
        return path

    def in_order(
        self, path: Path, columns: Sequence[str], by: Sequence[str], where: str = "true"
    ) -> Iterator[pl.DataFrame]:
        """Some columns of a temporary table, sorted by others; missing values come first."""
        names = ", ".join(map(quoted_name, columns))
        order = ", ".join(f"{quoted_name(name)} NULLS FIRST" for name in by)
        sorting = f" ORDER BY {order}" if by else ""
        query = f"SELECT {names} FROM read_parquet(?) WHERE {where}{sorting}"  # noqa: S608  names are quoted
        with self._connection() as connection:
            found = connection.sql(query, params=[str(path)])
            for batch in found.to_arrow_reader(BATCH):
                yield pl.DataFrame(batch)

    def n_present(self, path: Path, column: str) -> int:
        """Number of non-missing cells of a column of a temporary table."""
        query = f"SELECT count({quoted_name(column)}) FROM read_parquet(?)"  # noqa: S608  the name is quoted
        with self._connection() as connection:
            return int(connection.sql(query, params=[str(path)]).fetchall()[0][0])

    def keep(self, frames: Iterable[pl.DataFrame], schema: pl.Schema) -> StoredColumns:
        """Frames in the order of the table's rows, to be read part by part."""
        pa = need_arrow()
        path = self._new("arrow")
        arrow = schema.to_frame().to_arrow().schema
        n_rows = 0
        with pa.ipc.new_file(str(path), arrow) as writer:
            for frame in rebatch(frames, BATCH):
                plain = frame.cast(schema).rechunk().to_arrow().cast(arrow)
                writer.write_table(plain, BATCH)
                n_rows += frame.height
        return StoredColumns(path, schema, n_rows)

    def _new(self, ending: str) -> Path:
        return self.folder / f"{secrets.token_hex(8)}.{ending}"

    def _connection(self) -> Any:
        import duckdb

        settings: dict[str, Any] = {
            "memory_limit": f"{max(self.memory_limit >> 20, 256)}MiB",
            "temp_directory": str(self.folder),
            "preserve_insertion_order": False,
            "threads": n_threads(),
        }
        connection = duckdb.connect(config=settings)
        connection.execute("SET enable_progress_bar = false")  # DuckDB 2.0 shows one by default
        return connection


@dataclass(frozen=True, eq=False)
class StoredColumns:
    """Columns of all rows in a temporary file, in batches of a known size."""

    path: Path
    schema: pl.Schema
    n_rows: int

    def rows(self, start: int, n_rows: int) -> pl.DataFrame:
        """Some rows; only the batches that contain them are read."""
        pa = need_arrow()
        if start + n_rows > self.n_rows:
            raise FileError(
                "There are more rows than when the table was sorted: the data changed while they "
                "were read. Run again."
            )
        first, last = start // BATCH, -(-(start + n_rows) // BATCH)
        with pa.memory_map(str(self.path)) as file:
            reader = pa.ipc.open_file(file)
            batches = [reader.get_batch(place) for place in range(first, last)]
            found = pl.DataFrame(pa.Table.from_batches(batches, reader.schema))
            # Copied, so that nothing points into the file when it is closed.
            return found.slice(start - first * BATCH, n_rows).cast(self.schema).clone().rechunk()


def rebatch(frames: Iterable[pl.DataFrame], n_rows: int) -> Iterator[pl.DataFrame]:
    """The same rows in frames of ``n_rows`` each; the last may have fewer.

    >>> frames = [pl.DataFrame({"x": [1, 2, 3]}), pl.DataFrame({"x": [4]})]
    >>> [frame["x"].to_list() for frame in rebatch(frames, 2)]
    [[1, 2], [3, 4]]
    """
    waiting: list[pl.DataFrame] = []
    height = 0
    for frame in frames:
        waiting.append(frame)
        height += frame.height
        if height >= n_rows:
            whole = pl.concat(waiting)
            full = height - height % n_rows
            yield from (whole.slice(start, n_rows) for start in range(0, full, n_rows))
            waiting, height = [whole.slice(full)], height - full
    if height:
        yield pl.concat(waiting)


def zip_frames(
    rows: Iterable[pl.DataFrame], values: Iterable[pl.DataFrame]
) -> Iterator[pl.DataFrame]:
    """Two streams with the same number of rows, side by side."""
    both = zip(rebatch(rows, BATCH), rebatch(values, BATCH), strict=True)
    return (one.hstack(two) for one, two in both)
