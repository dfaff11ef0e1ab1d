"""External shuffle: the rows of a table larger than memory in uniformly random order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self, Unpack

import numpy as np
import polars as pl

from microveil.errors import FileError
from microveil.files.atomic import writing
from microveil.files.formats import format_of, place_of
from microveil.files.options import WriteOptions
from microveil.files.placing import Placing
from microveil.files.write_report import WriteReport
from microveil.files.writing import BatchWriter, Terms
from microveil.tables.arrow_package import need_arrow

_ROWS_AT_A_TIME = 1 << 17
_USUAL = Terms()
_USUAL_BUCKETS = 64
_ROWS_IN_MEMORY = 1 << 21
"""Rows of a bucket that are loaded at once, however large the table is."""
_MOST_BUCKETS = 500
"""Files that a process may usually have open at a time."""


def buckets_for(n_rows: int) -> int:
    """How many buckets shuffle so many rows: few for few rows, so that none is a tiny file."""
    few = min(-(-n_rows // _ROWS_AT_A_TIME), _USUAL_BUCKETS)
    return min(max(1, few, -(-n_rows // _ROWS_IN_MEMORY)), _MOST_BUCKETS)


class ShuffledBatchWriter:
    """Accepts frames one after another and writes all their rows in random order at the end.

    Each row goes to one of ``n_buckets`` scratch files at random; then each bucket is loaded,
    shuffled and appended (Rao 1961, Sandelius 1962), so that every order is equally likely. Memory
    holds one frame and one bucket, about 1/``n_buckets`` of the table; the disk temporarily holds
    the table twice, in a folder beside the target.
    """

    def __init__(
        self,
        target: str | Path,
        *,
        rng: np.random.Generator | None = None,
        n_buckets: int = _USUAL_BUCKETS,
        schema: pl.Schema | None = None,
        format: str | None = None,  # noqa: A002 - the word users know
        neutralize: bool = True,
        terms: Terms = _USUAL,
        **options: Unpack[WriteOptions],
    ) -> None:
        """Open nothing yet; without an ``rng`` the order comes from the operating system."""
        if n_buckets < 1:
            raise FileError(
                "A shuffle needs at least 1 bucket, not {n_buckets}.", n_buckets=n_buckets
            )
        self._writer = BatchWriter(
            target, schema=schema, format=format, neutralize=neutralize, terms=terms, **options
        )
        self._writer.shuffled = True
        self._target = target
        self._beside = _file_of(target, format)
        self._rng = rng or np.random.default_rng()
        self._n_buckets = n_buckets
        self._buckets: _Buckets | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Open the target, then the scratch folder beside it."""
        with ExitStack() as opening:
            opening.enter_context(writing(self._target))
            opening.enter_context(self._writer)
            if self._beside is None:
                self._scratch = Path(opening.enter_context(TemporaryDirectory()))
            else:
                self._scratch = opening.enter_context(Placing()).folder(self._beside)
            self._stack = opening.pop_all()
        return self

    def append(self, frame: pl.DataFrame) -> None:
        """Distribute the rows of another frame over the buckets."""
        if self._buckets is None:
            self._buckets = _Buckets(self._scratch, frame.schema, self._n_buckets)
            self._stack.callback(self._buckets.close)
        with writing(self._target):
            self._buckets.scatter(frame, self._rng)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Empty the buckets into the target, or remove what was started."""
        with self._stack:
            if error is not None:
                raise error
            if self._buckets is not None:
                for part in self._buckets.drain(self._rng):
                    self._writer.append(part)

    @property
    def report(self) -> WriteReport:
        """What was written; available once the block has succeeded."""
        return self._writer.report

    def read_back(self) -> pl.LazyFrame:
        """A plan that reads the finished file before it is placed."""
        return self._writer.read_back()


class _Buckets:
    """Scratch files of rows, as Arrow streams."""

    def __init__(self, folder: Path, schema: pl.Schema, n_buckets: int) -> None:
        pa = need_arrow()
        self._schema = schema
        self._paths = [folder / f"{place}.arrow" for place in range(n_buckets)]
        arrow = self._plain(pl.DataFrame(schema=schema)).to_arrow().schema
        self._writers: list[Any] = [pa.ipc.new_stream(str(path), arrow) for path in self._paths]

    def _plain(self, frame: pl.DataFrame) -> pl.DataFrame:
        # Each frame has its own categories; as text they need no merging.
        return frame.with_columns(pl.col(pl.Categorical, pl.Enum).cast(pl.String))

    def scatter(self, frame: pl.DataFrame, rng: np.random.Generator) -> None:
        """Send each row to a bucket at random."""
        # Numbers of 16 bits are sorted by radix, in a fraction of the time of wider ones.
        kind = np.uint16 if len(self._writers) <= 1 << 16 else np.int64
        bucket = rng.integers(0, len(self._writers), frame.height).astype(kind)
        order = np.argsort(bucket, kind="stable")
        ends = np.searchsorted(bucket[order], np.arange(1, len(self._writers) + 1))
        sorted_rows = self._plain(frame.select(self._schema.names()).cast(self._schema))
        table = sorted_rows[order].to_arrow()
        start = 0
        for writer, end in zip(self._writers, ends.tolist(), strict=True):
            if end > start:
                writer.write_table(table.slice(start, end - start))
            start = end

    def drain(self, rng: np.random.Generator) -> Iterator[pl.DataFrame]:
        """The rows of each bucket in random order, bucket after bucket."""
        self.close()
        yield self._schema.to_frame()  # a table without records has columns too
        for path in self._paths:
            # A row is found in one chunk much sooner than among those of all frames scattered.
            frame = pl.read_ipc_stream(path).rechunk().cast(self._schema)
            path.unlink()
            order = rng.permutation(frame.height)
            for start in range(0, frame.height, _ROWS_AT_A_TIME):
                yield frame[order[start : start + _ROWS_AT_A_TIME]]

    def close(self) -> None:
        """Finish the scratch files."""
        for writer in self._writers:
            writer.close()


def _file_of(target: str | Path, format_name: str | None) -> Path | None:
    """The file beside which scratch files can be placed; None for a database address."""
    place = place_of(target, format_of(target, format_name))
    return None if isinstance(place, str) else place
