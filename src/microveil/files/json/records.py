"""JSON: an array of records, or an object of columns; read whole, written as records."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from microveil.errors import FileError
from microveil.files.json import lines
from microveil.files.options import ReadOptions, WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.sources import existing, reading, refuse_infinite

TITLE = "JSON"


def load(path: Path, options: ReadOptions) -> pl.LazyFrame:
    """The records of the file; types are determined from all of them."""
    with reading(path, TITLE):
        records = _records(_parse(path), path)
        plan = pl.read_ndjson(_lines(records), infer_schema_length=None).lazy()
        return lines.select_typed(plan, plan.collect_schema(), path, options)


def _parse(path: Path) -> Any:
    try:
        return json.loads(existing(path).read_bytes())
    except RecursionError:
        raise FileError("{path}: nested too deeply to be read as JSON.", path=path) from None
    except UnicodeDecodeError:
        raise FileError("{path}: not UTF-8 text. Save the file as UTF-8.", path=path) from None
    except json.JSONDecodeError as error:
        raise FileError(
            "{path}: not valid JSON at line {line}.", path=path, line=error.lineno
        ) from None


def _records(raw: Any, path: Path) -> list[dict[str, Any]]:
    """One object per record, whichever way the file holds them."""
    if isinstance(raw, list) and raw and all(isinstance(one, dict) for one in raw):
        return raw
    if isinstance(raw, dict) and raw and all(isinstance(one, list) for one in raw.values()):
        if len({len(cells) for cells in raw.values()}) > 1:
            raise FileError("{path}: the columns are not all of the same length.", path=path)
        return [dict(zip(raw, cells, strict=True)) for cells in zip(*raw.values(), strict=True)]
    raise FileError(
        "{path}: neither records, `[{{…}}, {{…}}]`, nor columns, `{{name: […], …}}`. For one "
        "object per line name the file .jsonl.",
        path=path,
    )


def _lines(records: list[dict[str, Any]]) -> io.BytesIO:
    names = dict.fromkeys(name for record in records for name in record)
    # Every record has every name, so that a gap in the first is no missing column.
    texts = (json.dumps({name: record.get(name) for name in names}) for record in records)
    return io.BytesIO("\n".join(texts).encode())


@contextmanager
def sink(
    path: Path, schema: pl.Schema, _options: WriteOptions, _placing: Placing
) -> Iterator[Sink]:
    """Write an array of records, one per line, so that a table of any length fits in memory."""
    unfit = [name for name, dtype in schema.items() if dtype in (pl.Object, pl.Binary)]
    if unfit:
        raise FileError(
            "JSON cannot hold column {unfit:quoted}: its cells are binary.", unfit=unfit
        )
    with path.open("wb") as file:
        file.write(b"[")
        started = False

        def append(frame: pl.DataFrame) -> None:
            nonlocal started
            refuse_infinite(frame, TITLE)
            text = lines.with_iso_durations(frame).write_ndjson().encode().rstrip(b"\n")
            if text:
                file.write((b",\n" if started else b"\n") + text.replace(b"\n", b",\n"))
                started = True

        yield Sink(append)
        file.write(b"\n]\n")


def back(path: Path, schema: pl.Schema, _options: WriteOptions) -> pl.LazyFrame:
    """The frame in a file written by this module, with the types it was written with."""
    text = path.read_bytes().strip()[1:-1].strip()
    if not text:
        return schema.to_frame().lazy()
    apart = b"\n".join(line.removesuffix(b",") for line in text.split(b"\n"))
    plan = pl.scan_ndjson(io.BytesIO(apart), schema=lines.read_as(schema))
    return lines.as_written(plan, schema)
