"""JSON lines: one object per line; ISO dates in text become dates, as in CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.columns.column_types import DATE_KINDS, Kind, survey
from microveil.files.columns.derived_columns import types_in_file
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import from_text, plain
from microveil.files.sources import choose_columns, existing, is_panic, reading, refuse_infinite

TITLE = "JSON lines"
_MOST_LEVELS = 100


def load(path: Path, options: ReadOptions) -> pl.LazyFrame:
    """A plan that reads the file; types are determined from all lines."""
    try:
        plan = pl.scan_ndjson(existing(path), infer_schema_length=None)
        schema = plan.collect_schema()
    except RecursionError:
        raise _too_deep(path) from None
    except BaseException as error:
        if isinstance(error, pl.exceptions.PolarsError) or is_panic(error):
            raise _where_broken(path) from None
        raise
    return select_typed(plan, schema, path, options)


def select_typed(
    plan: pl.LazyFrame, schema: pl.Schema, path: Path, options: ReadOptions
) -> pl.LazyFrame:
    """The chosen columns of a plan, with ISO dates in text read as dates."""
    # Deeply nested lists cost the reader a disproportionate amount of time and memory.
    if max(map(_depth, schema.dtypes()), default=0) > _MOST_LEVELS:
        raise _too_deep(path)
    wanted = choose_columns(schema.names(), options.get("columns"), path)
    types = types_in_file(options.get("types"))
    typed = {name for name, one in types.items() if getattr(one, "becomes", "named") is not None}
    texts = [name for name in wanted if schema[name] == pl.String and name not in typed]
    kinds: dict[str, Kind] = {}
    if texts and options.get("dates") is not False:
        with reading(path, TITLE):
            kinds, _ = survey(plan, texts, DATE_KINDS)
    return plan.select(
        kinds[name].value(pl.col(name)).alias(name)
        if name in kinds
        else pl.col(name).cast(pl.String if schema[name] == pl.Null else schema[name])
        for name in wanted
    )


def _depth(dtype: Any) -> int:
    """Nesting depth of lists and structs."""
    level, inside = 0, [dtype]
    while inside := [inner for outer in inside for inner in _inside(outer)]:
        level += 1
        if level > _MOST_LEVELS:
            break
    return level


def _inside(dtype: Any) -> list[Any]:
    if isinstance(dtype, pl.Struct):
        return [one.dtype for one in dtype.fields]
    return [dtype.inner] if isinstance(dtype, pl.List | pl.Array) else []


def _too_deep(path: Path) -> FileError:
    return FileError("{path}: a line is nested too deeply to be read as JSON lines.", path=path)


def _where_broken(path: Path) -> FileError:
    """Which line is not a JSON object, without showing the line itself."""
    number = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):  # noqa: B007 - the last number is the answer
            try:
                if line.strip() and not isinstance(json.loads(line), dict):
                    break
            except RecursionError:
                return _too_deep(path)
            except ValueError:
                break
        else:
            return FileError(
                "{path} cannot be read as JSON lines: its {number} lines do not share a shape.",
                path=path,
                number=number,
            )
    return FileError(
        "{path}: line {number} is not a complete JSON object. Write one object per line.",
        path=path,
        number=number,
    )


@contextmanager
def sink(
    path: Path, schema: pl.Schema, _options: WriteOptions, _placing: Placing
) -> Iterator[Sink]:
    """Append frames to a new file; durations are written in ISO 8601, decimals as text."""
    unfit = [name for name, dtype in schema.items() if dtype in (pl.Object, pl.Binary)]
    if unfit:
        raise FileError(
            "JSON lines cannot hold column {unfit:quoted}: its cells are binary.", unfit=unfit
        )
    with path.open("wb") as file:

        def append(frame: pl.DataFrame) -> None:
            refuse_infinite(frame, TITLE)
            with_iso_durations(frame).write_ndjson(file)

        yield Sink(append)


def with_iso_durations(frame: pl.DataFrame) -> pl.DataFrame:
    """Durations as text in ISO 8601."""
    durations = [name for name, dtype in frame.schema.items() if dtype == pl.Duration]
    return frame.with_columns(pl.col(durations).dt.to_string("iso"))


def to_stored(frame: pl.DataFrame) -> pl.DataFrame:
    """The frame as the file holds it: categories, durations and decimals as text."""
    decimals = {name: pl.String for name, dtype in frame.schema.items() if dtype.is_decimal()}
    return plain(with_iso_durations(frame), decimals)


def back(path: Path, schema: pl.Schema, _options: WriteOptions) -> pl.LazyFrame:
    """A plan that reads a file written by this module, with the types it was written with."""
    if not path.stat().st_size:  # a file without records names no columns
        return schema.to_frame().lazy()
    # Date-times are text in JSON, and parsed as in CSV.
    return as_written(pl.scan_ndjson(path, schema=read_as(schema)), schema)


def read_as(schema: pl.Schema) -> dict[str, pl.DataType | type[pl.DataType]]:
    """The types to read a file with, from which the columns' own are built."""
    return {name: _read_as(dtype) for name, dtype in schema.items()}


def as_written(plan: pl.LazyFrame, schema: pl.Schema) -> pl.LazyFrame:
    """The columns with the types they were written with."""
    return plan.select(
        from_text(pl.col(name), dtype) if dtype.is_temporal() else pl.col(name).cast(dtype)
        for name, dtype in schema.items()
    )


def _read_as(dtype: pl.DataType) -> pl.DataType | type[pl.DataType]:
    """The type that the reader supports, from which the column's own is built."""
    if dtype.is_temporal():
        return pl.String
    small = (pl.Int8, pl.Int16, pl.UInt8, pl.UInt16)
    return pl.Int64 if dtype in small else dtype
