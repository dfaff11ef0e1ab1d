"""Files that Spark reads: checked before it starts, and named if one turns out to be damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from microveil.errors import FileError
from microveil.files.delimited_text.delimited import headings
from microveil.files.folders import files_of, same_columns
from microveil.files.formats import source_format
from microveil.files.sources import expand_home, reading
from microveil.spark.connect import runs_here
from microveil.spark.places import place_at, read_place

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FILE = re.compile(
    r"(?:reading file|Could not read footer for file:?)\s+(?:file:/*)?(\S+?)\.?(?:\s|$)"
)
_DECODING = re.compile(r"datasources\.parquet\.(?:ParquetDictionary|Vectorized)")
_SPECIAL = re.compile(r"([\\*?\[\]{}])")
OPEN_COST = 1 << 14
"""Bytes that opening a file is worth to Spark: many small files are read by one task."""
MANY, SMALL = 200, 1 << 20
"""From so many files on, of fewer bytes on average, opening them takes longer than reading."""
TEXTS = (".csv", ".tsv", ".tab", ".txt")
GATHERED = 5000
"""Small files that are gathered in one."""


Checked = tuple[str, list[Path]]
"""The format of a source, and its files."""


def read_on_spark(
    session: SparkSession,
    source: str | Path,
    checked: Checked | None = None,
    scratch: Path | None = None,
) -> DataFrame:
    """The table in a Parquet or CSV file, or in all files of a folder with the same columns.

    Many small files are first gathered in the scratch folder, if there is one and Spark runs on
    this machine: it takes minutes to open thousands. What only Spark reaches, such as a Delta table
    or an object store, is read by its own readers (:mod:`microveil.spark.places`).
    """
    place = place_at(source)
    if place is not None:
        return read_place(session, place)
    known, files = check_source(source) if checked is None else checked
    if scratch is not None and runs_here(session) and _can_be_gathered(known, files):
        files = gather(known, files, scratch)
        source = files[0] if len(files) == 1 else files[0].parent
    # Otherwise Spark takes each file, however small, for 4 MB of work.
    session.conf.set("spark.sql.files.openCostInBytes", str(OPEN_COST))
    paths = _as_listed(expand_home(source), files)
    # Names of folders such as year=2024 are no columns here, as they are none on one machine.
    reader = session.read.option("recursiveFileLookup", "true")
    if known == "csv":
        separator = headings(files[0])[0]
        frame = reader.csv(paths, header=True, inferSchema=True, sep=separator)
    else:
        frame = reader.parquet(*paths)
    # A run makes ten passes and more, each of which would open all files again.
    return frame.persist() if _opened_slowly(files) else frame


def _can_be_gathered(known: str, files: list[Path]) -> bool:
    """Whether files are many, small, and rows after rows: not packed, with headings of one line."""
    if not _opened_slowly(files):
        return False
    if known == "parquet":
        return True
    one_line = not any("\n" in name for name in headings(files[0])[1])
    return one_line and all(file.suffix.lower() in TEXTS for file in files)


def gather(known: str, files: Sequence[Path], folder: Path) -> list[Path]:
    """The rows of many files in a few, of the same types; readable by the owner only."""
    folder = folder / "gathered"
    folder.mkdir(mode=0o700)
    together = _gather_texts if known == "csv" else _gather_parquet
    return [
        together(files[first : first + GATHERED], folder / f"{first:09d}.{known}")
        for first in range(0, len(files), GATHERED)
    ]


def _gather_parquet(files: Sequence[Path], out: Path) -> Path:
    from pyarrow.parquet import ParquetWriter, read_schema, read_table

    schema = read_schema(files[0])
    with ParquetWriter(out, schema) as writer:
        for file in files:
            with reading(file, "Parquet"):
                table = read_table(file, partitioning=None)
                writer.write_table(table.select(schema.names).cast(schema))
    return out


def _gather_texts(files: Sequence[Path], out: Path) -> Path:
    """Text after text, the headings of the first alone."""
    with out.open("wb") as writer:
        for place, file in enumerate(files):
            text = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
            rows = text if place == 0 else text.partition(b"\n")[2]
            writer.write(rows if rows.endswith(b"\n") or not rows else rows + b"\n")
    return out


def _opened_slowly(files: list[Path]) -> bool:
    """Whether opening files takes longer than reading them: many, and small."""
    if len(files) < MANY:
        return False
    return sum(file.stat().st_size for file in files) < SMALL * len(files)


def _as_listed(source: Path, files: list[Path]) -> list[str]:
    """A folder that Spark can list itself, or else its files: thousands take it minutes to find."""
    folder = files[0].parent
    entries = {one.name for one in folder.iterdir() if not one.name.startswith((".", "_"))}
    whole = all(file.parent == folder for file in files) and {one.name for one in files} == entries
    found = [folder] if whole and source != files[0] else files
    return [_SPECIAL.sub(r"\\\1", str(one.absolute())) for one in found]


def check_source(source: str | Path) -> Checked:
    """The format and the files of a source, after checking that they are one table for Spark."""
    files = files_of(source)
    known = source_format(source).name
    if known not in ("csv", "parquet"):
        raise FileError(f"{source}: the Spark engine reads Parquet and CSV files.")
    if known == "csv":
        _refuse_unlike_texts(files)
    else:
        same_columns((file, _parquet_types(file)) for file in files)
    return known, files


def _parquet_types(file: Path) -> dict[str, Any]:
    from pyarrow.parquet import read_schema

    with reading(file, "Parquet"):
        schema = read_schema(file)
        return {field.name: field.type for field in schema}


def _refuse_unlike_texts(files: list[Path]) -> None:
    """Raise an error unless the text files have one separator and one order of columns."""
    told = {file: headings(file) for file in files}
    same_columns((file, dict.fromkeys(names)) for file, (_, names) in told.items())
    first = files[0]
    for file, heading in told.items():
        if heading != told[first]:
            raise FileError(
                f"{file} has another separator or another order of columns than {first.name}, and "
                "Spark reads the columns of text by their place. Write them alike, or as Parquet."
            )


@contextmanager
def naming_damaged_files(checked: Checked | None = None) -> Iterator[None]:
    """Turn Spark's failure to read a file into one sentence; leave other errors alone.

    Where damage shows only while cells are decoded, Spark does not say in which file: the files
    are then read here, one by one.
    """
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(("py4j", "pyspark")):
            raise
        file, cause = damaged_file(error), str(error).rpartition("Caused by:")[2]
        known, files = checked or ("", [])
        # Java leaves the trace out of an error that it has met often: only the files can tell then.
        if not file and known == "parquet" and (_DECODING.search(cause) or "\tat " not in cause):
            _refuse_damaged(files)
        if not file and _DECODING.search(cause):
            file = str(files[0] if len(files) == 1 else "A file of the source")
        if not file:
            raise
        raise FileError(
            f"{file} cannot be read by Spark: it is damaged, cut off or of another format."
        ) from None


def _refuse_damaged(files: Sequence[Path]) -> None:
    from pyarrow.parquet import ParquetFile

    for file in files:
        with reading(file, "Parquet"), ParquetFile(file) as parts:
            for batch in parts.iter_batches():
                batch.validate(full=True)


def damaged_file(error: Exception) -> str:
    """The file that an error of Spark is about; empty if it is about none.

    >>> damaged_file(ValueError("Encountered error while reading file file:///a/b.parquet. Java"))
    '/a/b.parquet'
    """
    found = _FILE.search(str(error))
    return "/" + unquote(found[1]).lstrip("/") if found else ""
