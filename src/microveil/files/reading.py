"""Reading: any file or database table as a Polars frame, a plan, or a sequence of batches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Unpack, cast

import polars as pl

from microveil.errors import FileError, listing
from microveil.files import statistical
from microveil.files.columns.column_reading import Reading
from microveil.files.columns.derived_columns import types_in_file
from microveil.files.columns.retyping import reading_of, retype
from microveil.files.folders import files_of, is_many
from microveil.files.formats import (
    FORMATS,
    Format,
    check_read_options,
    display_source,
    place_of,
    source_format,
)
from microveil.files.labels import Labels
from microveil.files.options import ReadOptions, TypeName
from microveil.files.sources import choose_columns, is_panic
from microveil.files.sources import reading as reading_errors
from microveil.files.statistical import r_files
from microveil.files.statistical.code_books import fitting_types, read_code_book
from microveil.files.statistical.coding import decode_recoded
from microveil.files.statistical.named_codes import with_named_codes

_LABELLED = ("spss", "stata", "sas")


def read(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Unpack[ReadOptions],
) -> pl.DataFrame:
    """Read the table in a file or database; the format follows from the suffix unless named.

    ``source`` is a path, or a URL such as ``sqlite:///people.db?table=t``,
    ``duckdb:///people.duckdb?query=select …`` or ``postgresql://user@host/db?table=schema.t``. A
    folder, or a pattern such as ``people/*.parquet``, is read as one table: Parquet or CSV files
    with the same columns, in the order of their names.
    """
    known, place, said = _resolve(source, format, options)
    loaded = known.load(place, said)
    with reading_source(source, known):
        frame = loaded.collect() if isinstance(loaded, pl.LazyFrame) else loaded
    return _apply_types(frame, said, source)


def scan(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Unpack[ReadOptions],
) -> pl.LazyFrame:
    """A plan that reads a CSV, Parquet or JSON lines file when it is collected."""
    known, place, said = _resolve(source, format, options)
    plan = known.load(place, said) if known.lazy else None
    if not isinstance(plan, pl.LazyFrame):
        lazy = listing(known.title for known in FORMATS if known.lazy)
        raise FileError(
            "{source}: {title} cannot be read in parts, only {lazy}. Use read().",
            source=display_source(source),
            title=known.title,
            lazy=lazy,
        )
    before = plan.collect_schema()
    types = _types_here(before.names(), said, source)
    if types:
        after = retype(before.to_frame(), types).schema
        plan = plan.map_batches(lambda part: retype(part, types), schema=after, streamable=True)
    return plan


def batches(
    source: str | Path,
    n_rows: int = 100_000,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Unpack[ReadOptions],
) -> Iterator[pl.DataFrame]:
    """The rows in order, ``n_rows`` at a time.

    CSV, Parquet and JSON lines are read in bounded memory, except for a CSV file that is not UTF-8,
    which is decoded as a whole. Other formats are read as a whole, then split.
    """
    if n_rows < 1:
        raise FileError("A batch has at least 1 row, not {n_rows}.", n_rows=n_rows)
    known, place, said = _resolve(source, format, options)
    if known.parts:
        for part in known.parts(place, said, n_rows):
            yield _apply_types(part, said, source)
    elif known.lazy:
        yield from _collect_parts(scan(source, format=format, **options), n_rows, source, known)
    else:
        yield from read(source, format=format, **options).iter_slices(n_rows)


def _collect_parts(
    plan: pl.LazyFrame, n_rows: int, source: str | Path, known: Format
) -> Iterator[pl.DataFrame]:
    parts = plan.collect_batches(chunk_size=n_rows, maintain_order=True)
    while True:
        with reading_source(source, known):
            part = next(parts, None)
        if part is None:
            return
        if part.height:
            yield part


def read_labelled(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Unpack[ReadOptions],
) -> tuple[pl.DataFrame, Labels]:
    """The table with its labels: those of SPSS, Stata, SAS and R files, and of a code book.

    Codes for missing cells may be named by their label there (``missing: ["Don't know"]``).
    """
    known, place, said = _resolve(source, format, options)
    frame, labels = _with_labels(known, place, said)
    if said.get("labels"):
        labels = labels.with_more(fitting_types(read_code_book(str(said["labels"])), frame))
    said["types"] = with_named_codes(said.get("types") or {}, labels)
    return _apply_types(frame, said, source), labels


def _with_labels(
    known: Format, place: str | Path, said: ReadOptions
) -> tuple[pl.DataFrame, Labels]:
    """The table as it is, and the labels in the file itself."""
    if known.name == "r":
        return r_files.load_labelled(Path(place), said)
    if known.name in _LABELLED:
        return statistical.load_labelled(Path(place), said)
    with reading_source(place, known):
        loaded = known.load(place, said)
        return loaded.collect() if isinstance(loaded, pl.LazyFrame) else loaded, Labels()


def read_released(source: str | Path, before: Labels) -> pl.DataFrame:
    """A released table; codes with labels that the original does not have are these labels.

    ``before`` are the labels of the original. SPSS and Stata files hold ``[10, 20)`` as a code.
    """
    frame, labels = read_labelled(source)
    return decode_recoded(frame, labels, before)


def read_labels(
    source: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    **options: Unpack[ReadOptions],
) -> Labels:
    """The labels of a file; empty unless it is from SPSS, Stata, SAS or R, or has a code book."""
    known, place, said = _resolve(source, format, options)
    if known.name in _LABELLED:
        own = statistical.read_labels(Path(place))
    else:
        own = r_files.load_labelled(Path(place), said)[1] if known.name == "r" else Labels()
    return own.with_more(read_code_book(str(said["labels"]))) if said.get("labels") else own


@contextmanager
def reading_source(source: str | Path, known: Format) -> Iterator[None]:
    """Turn a reader's failure into a sentence, which names the damaged file of a folder."""
    try:
        with reading_errors(display_source(source), known.title):
            yield
    except FileError:
        _name_damaged(source, known)
        raise


@contextmanager
def scanning_source(source: str | Path, known: Format) -> Iterator[None]:
    """Turn failures of a plan that reads a source into a sentence; leave unrelated errors alone."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, pl.exceptions.PolarsError) or is_panic(error):
            with reading_source(source, known):
                raise
        raise


def _name_damaged(source: str | Path, known: Format) -> None:
    """Read the files of a folder one by one, so that the error is that of the damaged one."""
    for file in files_of(source) if is_many(source) else ():
        read(file, format=known.name)


def _resolve(
    source: str | Path, format_name: str | None, options: ReadOptions
) -> tuple[Format, str | Path, ReadOptions]:
    known = source_format(source, format_name)
    said: dict[str, Any] = {name: v for name, v in options.items() if v is not None}
    reading = said.pop("reading", None)
    check_read_options(known, cast("ReadOptions", said))
    if isinstance(reading, Reading):
        types = {**reading.columns, **said.get("types", {})}
        said = _as_recipe_says(reading, known) | said | ({"types": types} if types else {})
    if "types" in said:
        said["types"] = {name: _as_reading(one, name) for name, one in said["types"].items()}
    return known, place_of(source, known), cast("ReadOptions", said)


def _as_recipe_says(reading: Reading, known: Format) -> dict[str, object]:
    """The options in a recipe that a format has; a copy of the table may have another format."""
    return {
        name: v for name, v in reading.file.to_dict().items() if name in known.reads | {"labels"}
    }


def _as_reading(wanted: TypeName, column: str) -> TypeName:
    return reading_of(wanted, column) if isinstance(wanted, str | Mapping) else wanted


def _apply_types(frame: pl.DataFrame, options: ReadOptions, source: str | Path) -> pl.DataFrame:
    return retype(frame, _types_here(frame.columns, options, source))


def _types_here(
    names: list[str], options: ReadOptions, source: str | Path
) -> Mapping[str, TypeName]:
    """The types of the columns that are read."""
    types = options.get("types") or {}
    here = {name: types[name] for name in types if name in names or not options.get("columns")}
    choose_columns(names, list(types_in_file(here)), display_source(source))
    return here
