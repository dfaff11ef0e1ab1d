"""Writing: frames to files, atomically, in random order, with formulas made harmless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack, cast

import numpy as np
import polars as pl

from microveil.errors import FileError, InternalError, listing
from microveil.files.atomic import replacing, writable, writing
from microveil.files.formats import (
    FORMATS,
    Append,
    Format,
    check_write_options,
    format_of,
    place_of,
    shown,
)
from microveil.files.formulas import neutralized, neutralized_names
from microveil.files.labels import Labels
from microveil.files.options import WriteOptions
from microveil.files.shuffling import shuffled_slices, slices

_ROWS_AT_A_TIME = 1 << 17


@dataclass(frozen=True)
class WriteReport:
    """What was written, and what was changed on the way."""

    path: str
    """Where the table stands; a URL without its password."""
    format: str
    n_rows: int
    n_columns: int
    shuffled: bool
    """Whether the rows left in random order."""
    n_neutralized: Mapping[str, int] = field(default_factory=dict)
    """Number of cells per column that got an apostrophe so that no spreadsheet runs them."""
    n_neutralized_names: int = 0
    """Number of column names likewise."""
    labels_dropped: tuple[str, ...] = ()
    """Columns whose value labels no longer fitted their codes."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "path": self.path,
            "format": self.format,
            "n_rows": self.n_rows,
            "n_columns": self.n_columns,
            "shuffled": self.shuffled,
            "n_neutralized": dict(self.n_neutralized),
            "n_neutralized_names": self.n_neutralized_names,
            "labels_dropped": list(self.labels_dropped),
        }


def write(
    frame: pl.DataFrame,
    target: str | Path,
    *,
    format: str | None = None,  # noqa: A002 - the word users know
    keep_order: bool = False,
    rng: np.random.Generator | None = None,
    neutralize: bool = True,
    **options: Unpack[WriteOptions],
) -> WriteReport:
    """Write a table whole or not at all; rows leave in random order unless ``keep_order``.

    Without an ``rng`` the order comes from the operating system. NaN is written as missing.
    """
    known = _writable_format(target, format)
    if known.refuse_many:
        known.refuse_many(frame.height)
    with BatchWriter(
        target, schema=frame.schema, format=known.name, neutralize=neutralize, **options
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
    """Appends frames to a new file, which appears when the ``with`` block ends well.

    The file's columns and types are those of ``schema``, or of the first frame. After a failure
    nothing is left and the old file stands.
    """

    def __init__(
        self,
        target: str | Path,
        *,
        schema: pl.Schema | None = None,
        format: str | None = None,  # noqa: A002 - the word users know
        neutralize: bool = True,
        **options: Unpack[WriteOptions],
    ) -> None:
        """Nothing is opened yet."""
        self.shuffled = False
        self._target = target
        self._format = _writable_format(target, format)
        self._options = cast("WriteOptions", {k: v for k, v in options.items() if v is not None})
        check_write_options(self._format, self._options)
        self._neutralize = neutralize and self._format.runs_formulas
        self._schema = schema
        self._sink: Append | None = None
        self._stack = ExitStack()
        self._n_rows = 0
        self._n_neutralized: Counter[str] = Counter()
        self._labels_dropped: set[str] = set()
        self._done = False

    def __enter__(self) -> Self:
        """Check the place before any work is done; open it when the columns are known."""
        if not self._format.database:
            writable(Path(place_of(self._target, self._format)))
        if self._schema is not None:
            self._open(self._schema)
        return self

    def append(self, frame: pl.DataFrame) -> None:
        """Write the rows of one more frame, which has the columns of the first."""
        if self._sink is None:
            self._open(frame.schema)
        frame = self._fitted(frame)
        if self._neutralize:
            frame, counts = neutralized(frame)
            self._n_neutralized.update(counts)
            frame = frame.rename(dict(zip(frame.columns, self._names(), strict=True)))
        labels = self._options.get("labels") or Labels()
        self._labels_dropped.update(labels.fitting(frame)[1])
        cast("Append", self._sink)(frame)
        self._n_rows += frame.height

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Put the file in its place, or take away what was begun."""
        if kind is None and self._sink is None:
            raise FileError(f"{shown(self._target)}: no frame was appended, so nothing is written.")
        self._stack.__exit__(kind, error, trace)
        self._done = kind is None

    @property
    def report(self) -> WriteReport:
        """What was written; there once the block has ended well."""
        if not self._done or self._schema is None:
            raise InternalError("A report was asked for before its file was finished.")
        names = self._schema.names()
        renamed = sum(a != b for a, b in zip(names, self._names(), strict=True))
        return WriteReport(
            path=shown(self._target),
            format=self._format.name,
            n_rows=self._n_rows,
            n_columns=len(names),
            shuffled=self.shuffled,
            n_neutralized={n: self._n_neutralized[n] for n in names if self._n_neutralized[n]},
            n_neutralized_names=renamed,
            labels_dropped=tuple(name for name in names if name in self._labels_dropped),
        )

    def _names(self) -> list[str]:
        names = cast("pl.Schema", self._schema).names()
        return neutralized_names(names) if self._neutralize else names

    def _open(self, schema: pl.Schema) -> None:
        if not len(schema):
            raise FileError(f"{shown(self._target)}: a table without columns cannot be written.")
        self._schema = schema
        place = place_of(self._target, self._format)
        opening = ExitStack()
        # Only when everything is open does the block own it; else it is taken away at once.
        with opening:
            if self._format.database:
                opening.enter_context(writing(shown(self._target)))
            else:
                place = opening.enter_context(replacing(Path(place)))
            written = pl.Schema(zip(self._names(), schema.dtypes(), strict=True))
            sink = self._format.sink
            if sink is None:
                raise InternalError(f"{self._format.title} was opened for writing.")
            self._sink = opening.enter_context(sink(place, written, self._options))
            self._stack = opening.pop_all()

    def _fitted(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame with the columns and types of the first one, NaN made missing."""
        schema = cast("pl.Schema", self._schema)
        if frame.schema != schema:
            if set(frame.columns) != set(schema.names()):
                raise FileError("The frames to write do not have the same columns.")
            try:
                frame = frame.select(schema.names()).cast(schema)
            except pl.exceptions.PolarsError:
                msg = "The frames to write do not have the same types in every column."
                raise FileError(msg) from None
        floats = [name for name, dtype in frame.schema.items() if dtype.is_float()]
        return frame.with_columns(pl.col(floats).fill_nan(None)) if floats else frame


def _writable_format(target: str | Path, name: str | None) -> Format:
    known = format_of(target, name)
    if known.sink is None:
        titles = listing(known.title for known in FORMATS if known.sink)
        msg = f"{shown(target)}: {known.title} files can only be read. Write one of: {titles}."
        raise FileError(msg)
    return known
