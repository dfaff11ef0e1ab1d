"""Counting the distinct rows of a file: by DuckDB if it can read the file, otherwise by Polars.

DuckDB keeps to its memory limit by spilling to disk; Polars has no such limit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from glob import has_magic
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from microveil.cores import n_threads
from microveil.files.folders import files_of
from microveil.files.formats import source_format
from microveil.planning.course import TooManyClassesError
from microveil.planning.ordering import in_order
from microveil.tables import LazyTable
from microveil.tables.names import free_name
from microveil.tables.table import Counted, count_distinct_rows

_ROWS = 1 << 18
CLASS_COPIES = 7
"""Copies of a frequency table that are in memory while it is counted, sorted, looked up and
compared with that of the written file. 3,000,000 classes of one whole number: 107 bytes each; of a
text of 16 letters: 257; 2,000,000 of three whole numbers: 155."""
VIEW = 16
"""Bytes of a text beside its letters."""


@dataclass(frozen=True, eq=False)
class CountedFile(LazyTable):
    """A lazy frame that reads a file, whose classes DuckDB counts if it can."""

    parquet: tuple[Path, ...] = ()
    """The Parquet files, if the lazy frame reads nothing else, and reads them unchanged."""
    memory_limit: int | None = None
    """Bytes that counting may take."""
    class_memory: int | None = None
    """Bytes that distinct rows and what is made of them may take; None for no limit."""
    folder: Path | None = None
    """Where counts that do not fit are put; by default where temporary files are."""
    _known: dict[tuple[tuple[str, ...], str | None], Counted] = field(
        default_factory=dict, repr=False
    )

    @cached_property
    def height(self) -> int:
        """Number of records; a Parquet file stores it."""
        if not self.parquet:
            return int(self.plan.select(pl.len()).collect(engine="streaming").item())
        counts = [pl.scan_parquet(file, glob=False).select(pl.len()) for file in self.parquet]
        return sum(int(one.item()) for one in pl.collect_all(counts))

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns; counts are cached."""
        asked = tuple(columns), weight
        if asked not in self._known:
            self._known[asked] = self._count_distinct(list(columns), weight)
        return self._known[asked]

    def _count_distinct(self, columns: list[str], weight: str | None) -> Counted:
        used = [*columns, *([weight] if weight else [])]
        able = bool(columns) and all(simple(self.schema[name]) for name in used)
        # DuckDB takes a star in a name for a pattern.
        literal = self.parquet and not any(has_magic(str(file)) for file in self.parquet)
        if not literal or not able or find_spec("duckdb") is None:
            found = count_distinct_rows(self.plan, columns, weight)
            self.refuse_many([found.keys], columns)
            return found
        return self._by_duckdb(columns, weight)

    def _by_duckdb(self, columns: list[str], weight: str | None) -> Counted:
        import duckdb

        settings: dict[str, Any] = {"preserve_insertion_order": False, "threads": n_threads()}
        if self.memory_limit is not None:
            settings["memory_limit"] = f"{max(self.memory_limit >> 20, 128)}MiB"
        n, summed = free_name("n", columns), free_name("weight", columns)
        tidy = ", ".join(
            f"{_tidy(name, self.schema[name])} AS {quoted_name(name)}" for name in columns
        )
        sums = f"count(*) AS {quoted_name(n)}"
        if weight is not None:
            sums += f", sum({_tidy(weight, self.schema[weight])}::DOUBLE) AS {quoted_name(summed)}"
        parts: list[pl.DataFrame] = []
        # What does not fit is put on disk, where only the owner can read it, and not in the folder
        # that somebody happens to be in.
        with (
            TemporaryDirectory(dir=self.folder) as spilled,
            duckdb.connect(config=settings | {"temp_directory": spilled}) as connection,
        ):
            connection.execute("SET enable_progress_bar = false")
            grouped = connection.sql(
                f"SELECT {tidy}, {sums} FROM read_parquet(?) GROUP BY ALL",  # noqa: S608  names are quoted
                params=[[str(file) for file in self.parquet]],
            )
            for batch in grouped.to_arrow_reader(_ROWS):
                parts.append(pl.DataFrame(batch))
                self.refuse_many(parts, columns)
        if not parts:
            return count_distinct_rows(self.plan, columns, weight)
        types: Any = {**{name: self.schema[name] for name in columns}, n: pl.Int64}
        found = _without_empty_text(pl.concat(parts), columns, [n, summed])
        found = in_order(found.cast(types), columns)
        weights = None if weight is None else found[summed].fill_null(0.0).to_numpy()
        return Counted(found.select(columns), found[n].to_numpy(), weights)

    def refuse_many(self, parts: list[pl.DataFrame], columns: Sequence[str]) -> None:
        """Stop counting before classes take more memory than they may."""
        if self.class_memory is None:
            return
        n_classes = sum(part.height for part in parts)
        if n_classes * bytes_per_class(parts[0], columns) > self.class_memory:
            raise TooManyClassesError(n_classes - 1, columns)


def plain_parquet(source: str | Path, options: Mapping[str, Any]) -> tuple[Path, ...]:
    """The files of a source that is read unchanged from Parquet; none of any other."""
    plain = source_format(source).name == "parquet" and not options
    return tuple(files_of(source)) if plain else ()


def bytes_per_class(rows: pl.DataFrame, columns: Sequence[str]) -> float:
    """Memory that each class takes while classes are counted, sorted, looked up and compared.

    A few rows tell how long texts are.
    """
    there = rows.select(name for name in columns if name in rows.columns)
    texts = sum(dtype == pl.String for dtype in there.dtypes)
    count = 8
    return CLASS_COPIES * (there.estimated_size() / max(rows.height, 1) + VIEW * texts + count)


def simple(dtype: pl.DataType) -> bool:
    """Whether DuckDB and Polars mean the same by a column of this type."""
    wide = (pl.Int128, pl.UInt128)
    zoned = isinstance(dtype, pl.Datetime) and (
        dtype.time_zone is not None or dtype.time_unit == "ns"
    )
    return not zoned and (
        (dtype.is_numeric() and dtype not in wide)
        or dtype in (pl.String, pl.Boolean, pl.Date, pl.Datetime)
        or isinstance(dtype, pl.Categorical | pl.Enum)
    )


def quoted_name(name: str) -> str:
    """A column name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def _tidy(name: str, dtype: pl.DataType) -> str:
    """A column with one kind of zero, and without NaN (:mod:`microveil.tables.cells`)."""
    quoted = quoted_name(name)
    if dtype.is_float():
        return f"CASE WHEN isnan({quoted}) THEN NULL ELSE {quoted} + 0 END"
    if isinstance(dtype, pl.Categorical | pl.Enum):
        return f"{quoted}::VARCHAR"
    return quoted


def _without_empty_text(grouped: pl.DataFrame, columns: list[str], sums: list[str]) -> pl.DataFrame:
    """Empty text as missing, in the classes rather than in every row, which is cheaper."""
    empty = [
        name
        for name in columns
        if grouped.schema[name] == pl.String and (grouped[name] == "").any()
    ]
    if not empty:
        return grouped
    tidied = grouped.with_columns(pl.col(name).replace("", None) for name in empty)
    return tidied.group_by(columns).agg(pl.col(name).sum() for name in sums if name in grouped)
