"""What stands in a file, read by others' readers."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import polars as pl

SHEETS = ["xlsx", "ods"]
FORMATS = ["csv", "tsv", "csv.gz", "parquet", "jsonl", *SHEETS, "sqlite", "duckdb", "dta", "sav"]


def target(folder: Path, name: str, kind: str) -> tuple[str | Path, dict[str, Any]]:
    """Where a table of a kind goes, and what must be said to write it."""
    path = folder / f"{name}.{kind}"
    return path, {"table": "t"} if kind in ("sqlite", "duckdb") else {}


def read_again(path: str | Path, kind: str) -> list[tuple[Any, ...]]:
    """The rows of a file, cell by cell; text files as text."""
    if kind in ("csv", "tsv", "csv.gz"):
        separator = "\t" if kind == "tsv" else ","
        return pl.read_csv(path, infer_schema=False, separator=separator).rows()
    if kind == "parquet":
        import pyarrow.parquet as pq

        return [tuple(row.values()) for row in pq.read_table(path).to_pylist()]
    if kind == "jsonl":
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        return [tuple(json.loads(line).values()) for line in lines]
    if kind in SHEETS:
        return _sheet(path)
    return _table(path, kind)


def _sheet(path: str | Path) -> list[tuple[Any, ...]]:
    import fastexcel

    sheet = fastexcel.read_excel(str(path)).load_sheet(0, dtypes="string")
    return pl.DataFrame(sheet).rows()


def _table(path: str | Path, kind: str) -> list[tuple[Any, ...]]:
    if kind == "sqlite":
        with sqlite3.connect(path) as connection:
            return connection.execute("SELECT * FROM t").fetchall()
    if kind == "duckdb":
        import duckdb

        with duckdb.connect(str(path), read_only=True) as connection:
            return connection.execute("SELECT * FROM t").fetchall()
    import pyreadstat

    read = pyreadstat.read_sav if kind == "sav" else pyreadstat.read_dta
    columns, _ = read(str(path), output_format="dict")
    return list(zip(*columns.values(), strict=True))
