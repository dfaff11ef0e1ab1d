"""Writing: frames to files, atomically, in random order, with formulas neutralised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack, cast

import numpy as np
import polars as pl

from microveil.errors import FileError, InternalError, listing, quote
from microveil.files.atomic import writable, writing
from microveil.files.formats import (
    FORMATS,
    Back,
    Format,
    check_write_options,
    display_source,
    format_of,
    place_of,
)
from microveil.files.formulas import (
    looks_neutralized,
    neutralize_formulas,
    neutralized_names,
    restore,
)
from microveil.files.labels import Labels
from microveil.files.options import WriteOptions
from microveil.files.placing import Placing, Sink
from microveil.files.reading_back import Fingerprint, as_stored, fingerprint, sha256
from microveil.files.shuffling import shuffled_slices, slices
from microveil.files.sources import reading
from microveil.files.unfit import Changes, naming_unfit_columns
from microveil.files.write_report import WriteReport

_ROWS_AT_A_TIME = 1 << 17
_TEXTS = (pl.String, pl.Categorical, pl.Enum)


@dataclass(frozen=True)
class Terms:
    """The conditions under which a table is written."""

    placing: Placing | None = None
    """Group of files to appear together with; by default the file appears by itself."""
    checked: bool = False
    """Whether what was written is read back, and must match exactly."""
    private: bool = False
    """Whether the file is readable by its owner only."""


_USUAL = Terms()


def write(
    frame: Any,
    target: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    keep_order: bool = False,
    rng: np.random.Generator | None = None,
    neutralize: bool = True,
    terms: Terms = _USUAL,
    **options: Unpack[WriteOptions],
) -> WriteReport:
    """Write a table completely or not at all; rows are shuffled unless ``keep_order``.

    ``frame`` is a Polars, pandas or Arrow table. Without an ``rng`` the order comes from the
    operating system. NaN is written as missing; the result says where the format changed a cell.
    """
    known = writable_format(target, format)
    if not isinstance(frame, pl.DataFrame):
        from microveil.tables.door import as_given

        frame = as_given(frame)
    if known.refuse_many:
        known.refuse_many(frame.height)
    with BatchWriter(
        target,
        schema=frame.schema,
        format=known.name,
        neutralize=neutralize,
        terms=terms,
        **options,
    ) as writer:
        if keep_order:
            parts = slices(frame, _ROWS_AT_A_TIME)
        else:
            parts = shuffled_slices(frame, rng or np.random.default_rng(), _ROWS_AT_A_TIME)
            writer.shuffled = True
        for part in parts:
            writer.append(part)
    return writer.report


class BatchWriter:
    """Appends frames to a new file, which appears when the ``with`` block succeeds.

    The file's columns and types are those of ``schema``, or of the first frame. After a failure
    nothing is left behind and the old file is unchanged.
    """

    def __init__(
        self,
        target: str | Path,
        *,
        schema: pl.Schema | None = None,
        format: str | None = None,  # noqa: A002 - the word users know
        neutralize: bool = True,
        terms: Terms = _USUAL,
        **options: Unpack[WriteOptions],
    ) -> None:
        """Open nothing yet."""
        self.shuffled = False
        self._target = target
        self._format = writable_format(target, format)
        self._options = cast("WriteOptions", {k: v for k, v in options.items() if v is not None})
        check_write_options(self._format, self._options)
        self._neutralize = neutralize and self._format.runs_formulas
        self._schema = schema
        self._terms = terms
        self._placing = terms.placing
        self._meant = Fingerprint() if terms.checked else None
        self._place: str | Path = ""
        self._bytes: tuple[int, str] | None = None
        self._sink: Sink | None = None
        self._outer, self._opened = ExitStack(), ExitStack()
        self._n_rows = 0
        self._n_neutralized: Counter[str] = Counter()
        self._ambiguous: set[str] = set()
        self._labels_dropped: set[str] = set()
        self._changes = Changes(self._format)
        self._done = False

    def __enter__(self) -> Self:
        """Check the target before any work is done; open it when the columns are known."""
        if not self._format.database:
            writable(Path(place_of(self._target, self._format)))
        with ExitStack() as opening:
            opening.enter_context(writing(display_source(self._target)))
            if self._placing is None:
                self._placing = opening.enter_context(Placing())
            if self._schema is not None:
                self._open(self._schema)
            self._outer = opening.pop_all()
        return self

    def append(self, frame: pl.DataFrame) -> None:
        """Write the rows of another frame, which has the columns of the first."""
        if self._sink is None:
            self._open(frame.schema)
        given = fit_frame(frame, cast("pl.Schema", self._schema), nan=True)
        frame = fit_frame(given, given.schema)
        if self._neutralize:
            self._ambiguous.update(_disguised_columns(frame))
            frame, counts = neutralize_formulas(frame)
            self._n_neutralized.update(counts)
            frame = frame.rename(dict(zip(frame.columns, self._names(), strict=True)))
        labels = self._options.get("labels") or Labels()
        self._labels_dropped.update(labels.fitting(frame)[1])
        with writing(display_source(self._target)), naming_unfit_columns(frame, self._format):
            cast("Sink", self._sink).append(frame)
            self._changes.add(given, frame)
            if self._meant is not None:
                self._meant.add(self._format.to_stored(frame))
        self._n_rows += frame.height

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Move the file into place, or remove what was started."""
        with self._outer:
            with self._opened:
                if error is not None:
                    raise error
                if self._sink is None:
                    where = display_source(self._target)
                    raise FileError(
                        "{where}: no frame was appended, so nothing is written.", where=where
                    )
                if self._sink.rows is not None:
                    self._look_again(self._sink.rows())
            if self._format.back is not None and self._meant is not None:
                self._look_again(self._read_back(self._format.back))
                self._bytes = Path(self._place).stat().st_size, sha256(Path(self._place))
        self._done = True

    def _read_back(self, back: Back) -> Iterator[pl.DataFrame]:
        """The finished file's rows, in the types they were written with."""
        with reading(display_source(self._target), self._format.title):
            found = back(self._place, self._stored_schema(), self._options)
            if isinstance(found, pl.DataFrame):
                yield found
            else:
                yield from found.collect_batches(chunk_size=_ROWS_AT_A_TIME)

    def _look_again(self, rows: Iterator[pl.DataFrame]) -> None:
        """Refuse a file that does not hold what was intended, naming the columns at fault."""
        if self._meant is None:
            return
        stored = self._stored_schema()
        found = fingerprint(as_stored(frame, stored) for frame in rows)
        if found.n_rows != self._meant.n_rows:
            raise FileError(
                "{title} does not keep all records of this table: {n_rows} were written and "
                "{n_rows_2} read back. Nothing was released. Write Parquet or CSV instead.",
                title=self._format.title,
                n_rows=self._meant.n_rows,
                n_rows_2=found.n_rows,
            )
        if found.rows != self._meant.rows:
            names = quote(self._meant.differing(found) or stored.names())
            raise FileError(
                "{title} does not hold column {names} exactly: what was read back is not "
                "what was written. Nothing was released. Write Parquet instead.",
                title=self._format.title,
                names=names,
            )

    def _stored_schema(self) -> pl.Schema:
        """Columns and types as the format holds them."""
        return self._format.to_stored(pl.DataFrame(schema=self._written_schema())).schema

    def _written_schema(self) -> pl.Schema:
        schema = cast("pl.Schema", self._schema)
        texts = (pl.Categorical, pl.Enum)
        # An apostrophe makes a text that is not one of the categories.
        types = [pl.String if self._neutralize and t in texts else t for t in schema.dtypes()]
        return pl.Schema(zip(self._names(), types, strict=True))

    @property
    def report(self) -> WriteReport:
        """What was written; available once the block has succeeded."""
        if not self._done or self._schema is None:
            raise InternalError("A report was requested before its file was finished.")
        names, sink = self._schema.names(), cast("Sink", self._sink)
        renamed = sum(a != b for a, b in zip(names, self._names(), strict=True))
        return WriteReport(
            path=display_source(self._target),
            format=self._format.name,
            n_rows=self._n_rows,
            n_columns=len(names),
            shuffled=self.shuffled,
            n_neutralized={n: self._n_neutralized[n] for n in names if self._n_neutralized[n]},
            n_neutralized_names=renamed,
            labels_dropped=tuple(
                name for name in names if name in {*self._labels_dropped, *sink.labels_dropped}
            ),
            changed=(*self._changes.sentences(), *sink.notes),
            read_back=self._meant is not None,
            n_bytes=None if self._bytes is None else self._bytes[0],
            sha256=None if self._bytes is None else self._bytes[1],
            staged=None if isinstance(self._place, str) else self._place,
        )

    def read_back(self) -> pl.LazyFrame:
        """A plan that reads the finished file before it is placed.

        Its columns have the names and types they were appended with; its cells are the file's, but
        without the apostrophe against formulas, unless a cell had one of its own.
        """
        if not self._done or self._format.back is None:
            raise InternalError("A file was read before it was finished, or from a database.")
        schema = cast("pl.Schema", self._schema)
        stored = self._stored_schema()
        plan = self._format.back(self._place, stored, self._options).lazy()
        return plan.select(
            self._restore(told, name, stored).cast(_castable(stored[told], dtype)).alias(name)
            for told, (name, dtype) in zip(self._names(), schema.items(), strict=True)
        )

    def _restore(self, told: str, name: str, stored: pl.Schema) -> pl.Expr:
        known = self._n_neutralized[name] and name not in self._ambiguous
        return restore(pl.col(told)) if known and stored[told] == pl.String else pl.col(told)

    def _names(self) -> list[str]:
        names = cast("pl.Schema", self._schema).names()
        return neutralized_names(names) if self._neutralize else names

    def _open(self, schema: pl.Schema) -> None:
        if not len(schema):
            raise FileError(
                "{target}: a table without columns cannot be written.",
                target=display_source(self._target),
            )
        self._schema = schema
        placing, place = cast("Placing", self._placing), place_of(self._target, self._format)
        sink = self._format.sink
        if sink is None:
            raise InternalError("{title} was opened for writing.", title=self._format.title)
        opening = ExitStack()
        # The block owns it only when everything is open; otherwise it is removed at once.
        with opening, writing(display_source(self._target)):
            if not self._format.database:
                place = placing.file(Path(place), private=self._terms.private)
            self._place = place
            written = pl.Schema(zip(self._names(), schema.dtypes(), strict=True))
            self._sink = opening.enter_context(sink(place, written, self._options, placing))
            self._opened = opening.pop_all()


def _disguised_columns(frame: pl.DataFrame) -> list[str]:
    """Text columns with a cell that reads as if it had been neutralised."""
    texts = [name for name, dtype in frame.schema.items() if dtype in _TEXTS]
    found = frame.select(looks_neutralized(pl.col(name).cast(pl.String)).any() for name in texts)
    return [name for name in texts if found[name].item()]


def _castable(stored: pl.DataType, wanted: pl.DataType) -> pl.DataType:
    """The column's own type if it can hold every stored cell, otherwise the stored one."""
    if isinstance(wanted, pl.Enum):
        # Text that was neutralised becomes a category that replaces the old one.
        told, _ = neutralize_formulas(pl.DataFrame({"category": wanted.categories.cast(pl.String)}))
        known = list(dict.fromkeys([*wanted.categories, *told["category"]]))
        return pl.Enum(known) if told["category"].n_unique() == told.height else stored
    castable = stored.is_numeric() or wanted.is_decimal()  # JSON lines hold decimals as text
    return wanted if castable and wanted.is_numeric() else stored


def holds_exactly(
    frame: pl.DataFrame, path: Path, known: Format, options: WriteOptions | None = None
) -> bool:
    """Whether a file holds exactly the rows of a frame, as its format holds them."""
    if known.back is None:
        return False
    meant = stored_form(frame, known)
    if known.runs_formulas:
        meant = meant.rename(
            dict(zip(meant.columns, neutralized_names(meant.columns), strict=True))
        )
    found = known.back(path, meant.schema, options or {}).lazy().collect()
    return fingerprint([as_stored(found, meant.schema)]) == fingerprint([meant])


def stored_form(frame: pl.DataFrame, known: Format, *, neutralize: bool = True) -> pl.DataFrame:
    """The frame as a format will hold it, under its own names."""
    told = fit_frame(frame, frame.schema)
    if neutralize and known.runs_formulas:
        told = neutralize_formulas(told)[0]
    return known.to_stored(told)


def foresee(frame: pl.DataFrame, target: str | Path, *, keep_order: bool) -> WriteReport:
    """What writing a frame to a database and reading it back will report, if it succeeds."""
    known = writable_format(target, None)
    changes = Changes(known)
    changes.add(frame, fit_frame(frame, frame.schema))
    return WriteReport(
        path=display_source(target),
        format=known.name,
        n_rows=frame.height,
        n_columns=frame.width,
        shuffled=not keep_order,
        changed=changes.sentences(),
        read_back=True,
    )


def fit_frame(frame: pl.DataFrame, schema: pl.Schema, *, nan: bool = False) -> pl.DataFrame:
    """The frame with the columns and types of the first one, and NaN, unless kept, as missing."""
    if frame.schema != schema:
        if set(frame.columns) != set(schema.names()):
            raise FileError("The frames to write do not have the same columns.")
        try:
            frame = frame.select(schema.names()).cast(schema)
        except pl.exceptions.PolarsError:
            raise FileError(
                "The frames to write do not have the same types in every column."
            ) from None
    floats = [name for name, dtype in frame.schema.items() if dtype.is_float() and not nan]
    return frame.with_columns(pl.col(floats).fill_nan(None)) if floats else frame


def writable_format(target: str | Path, name: str | None) -> Format:
    """The format of a target, which must be one that is written."""
    known = format_of(target, name)
    if known.sink is None:
        titles = listing(known.title for known in FORMATS if known.sink)
        raise FileError(
            "{target}: {title} files can only be read. Write one of: {titles}.",
            target=display_source(target),
            title=known.title,
            titles=titles,
        )
    return known
