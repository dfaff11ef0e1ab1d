"""Sources of classes: a table in memory, or a lazy plan that is streamed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
import polars as pl

from microveil.errors import InternalError
from microveil.tables.codes import Codes, count_codes, encode, number_codes, occurring, pack
from microveil.tables.door import refuse_nested
from microveil.tables.kinds import check_weight
from microveil.tables.names import free_name
from microveil.tables.roles import check_columns
from microveil.tables.table import Counted, LazyTable, Table, count_distinct_rows
from microveil.texts import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

DENSE = 4
"""Counting in an array of all possible keys pays off up to this many cells per record…"""
DENSE_SMALL = 16
"""…and up to this many while the array stays small:"""
SMALL = 1 << 22
SAMPLE = 4096
FEW = 8
"""Text has few values if there are this many records for each."""


@dataclass(frozen=True, eq=False)
class Histogram:
    """How often each sensitive value occurs in each class; one entry per pair that occurs."""

    classes: NDArray[np.int64]
    """Class of each entry, ascending."""
    values: NDArray[np.int64]
    """Code of the sensitive value of each entry; missing is a value of its own."""
    counts: NDArray[np.int64]
    n_values: int
    """Number of distinct values in the whole table."""
    missing: int | None = None
    """Code of the missing value, the last, if there is one."""


def histogram_of(record_class: NDArray[np.int64], column: pl.Series) -> Histogram:
    """How often each value of a column occurs in each class, given the class of each record."""
    values = number_codes(encode(column)).of_record
    n_values = int(values.max()) + 1 if len(values) else 0
    radix = (int(record_class.max(initial=-1)) + 1) * max(n_values, 1)
    pairs, counts = occurring(Codes(record_class * max(n_values, 1) + values, radix))
    classes, values = np.divmod(pairs, max(n_values, 1))
    missing = n_values - 1 if column.null_count() else None
    return Histogram(classes, values, counts, n_values, missing)


def class_source(table: Table | LazyTable, columns: tuple[str, ...]) -> ClassSource:
    """Choose a source: numbers are packed, which takes a fraction of the time of grouping.

    Plans are grouped, and so is text, unless few values make many classes: its dictionaries are
    then small and the grouping is large.
    """
    if isinstance(table, LazyTable):
        return GroupedSource(table, columns, table.roles.weight)
    frame = table.frame
    texts = [name for name in columns if frame.schema[name] in (pl.String, pl.Binary)]
    if texts and not _few_values_many_classes(frame.select(columns), texts):
        return GroupedSource(frame, columns, table.roles.weight)
    return PackedSource(frame, columns)


def _few_values_many_classes(keys: pl.DataFrame, texts: list[str]) -> bool:
    """Estimated from a sample spread over the table."""
    if any(dtype.is_nested() or dtype == pl.Object for dtype in keys.dtypes):
        return False
    sample = keys.gather_every(max(keys.height // SAMPLE, 1))
    if sample.n_unique() <= sample.height / 2:
        return False
    most = max(sample[name].n_unique() for name in texts)
    return most <= sample.height / FEW or _n_values(most, sample.height) <= keys.height / FEW


def _n_values(n_seen: int, n: int) -> float:
    """Roughly how many equally frequent values there are if ``n`` draws show ``n_seen`` of them.

    The birthday problem: n draws repeat n² / (2 N) times. It is right where repetitions are rare,
    and too large where they are not.
    """
    return n * n / (2 * (n - n_seen)) if n > n_seen else float("inf")


class ClassSource(Protocol):
    """What :class:`~microveil.tables.classes.Classes` needs, in the order of the classes."""

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each class."""

    @property
    def keys(self) -> pl.DataFrame:
        """The key columns of each class."""

    def key(self, column: str) -> pl.Series:
        """One of the key columns of each class."""

    @property
    def record_class(self) -> NDArray[np.int64]:
        """Class of each record."""

    def total(self, column: str) -> NDArray[np.float64]:
        """Sum of a column over each class."""

    def histogram(self, column: str) -> Histogram:
        """How often each value of a column occurs in each class."""


@dataclass(eq=False)
class PackedSource:
    """The keys of a frame in memory, packed into one number each.

    It holds the frame and not its table, which remembers it.
    """

    frame: pl.DataFrame
    columns: tuple[str, ...]

    @cached_property
    def packed(self) -> Codes:
        """One number per record."""
        return pack(self.frame, self.columns)

    @cached_property
    def _dense(self) -> bool:
        n = len(self.packed.values)
        return self.packed.radix <= max(DENSE * n, min(DENSE_SMALL * n, SMALL), 1)

    @cached_property
    def _cells(self) -> pl.Series:
        """How often each possible key occurs, if an array of them is small enough."""
        return pl.Series(count_codes(self.packed))

    @cached_property
    def _runs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Keys that occur, ascending, and how often; equal keys are adjacent after sorting."""
        ordered = np.sort(self.packed.values)
        starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
        return ordered[starts], np.diff(starts, append=len(ordered))

    @cached_property
    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each class, classes in the order of their packed keys."""
        # Polars' filter takes a fraction of the time of NumPy's boolean index.
        return self._cells.filter(self._cells != 0).to_numpy() if self._dense else self._runs[1]

    @cached_property
    def record_class(self) -> NDArray[np.int64]:
        """Class of each record."""
        packed = self.packed.values
        if not self._dense:
            return np.searchsorted(self._runs[0], packed).astype(np.int64, copy=False)
        # Counting the keys that occur up to each one numbers them; the gaps are never used.
        number = (self._cells != 0).cum_sum().cast(pl.Int64) - 1
        return number.to_numpy()[packed]

    @cached_property
    def keys(self) -> pl.DataFrame:
        """The key columns of one record of each class."""
        if not self.columns:
            return pl.DataFrame()
        return self.frame.select(self.columns)[self._examples]

    def key(self, column: str) -> pl.Series:
        """One of the key columns; not kept, for all of them may be as large as the table."""
        return self.frame[column][self._examples]

    @cached_property
    def _examples(self) -> NDArray[np.int64]:
        """Position of one record of each class."""
        positions = np.arange(self.frame.height)
        if self._dense:
            # By possible key first, so that no class number per record is needed.
            of_key = np.empty(self.packed.radix, dtype=np.int64)
            of_key[self.packed.values] = positions
            return pl.Series(of_key).filter(self._cells != 0).to_numpy()
        example = np.empty(len(self.class_counts), dtype=np.int64)
        example[self.record_class] = positions
        return example

    def total(self, column: str) -> NDArray[np.float64]:
        """Sum of a column over each class."""
        weight = self.frame[column]
        check_weight(weight, weight.null_count())
        numbers: NDArray[np.float64] = weight.cast(pl.Float64).to_numpy()
        summed = np.bincount(self.record_class, weights=numbers, minlength=len(self.class_counts))
        return summed.astype(np.float64, copy=False)

    def histogram(self, column: str) -> Histogram:
        """How often each value of a column occurs in each class."""
        check_columns([column], self.frame.columns)
        return histogram_of(self.record_class, self.frame[column])


@dataclass(eq=False)
class GroupedSource:
    """Classes grouped by Polars, streaming, in the order of their keys.

    Used for text, whose dictionaries would cost more than grouping, and for plans, which are
    streamed. The order must not depend on Polars' threads, because random draws by class would
    follow it.
    """

    data: pl.DataFrame | LazyTable
    columns: tuple[str, ...]
    weight: str | None
    """Column that is summed beside the counts."""

    @property
    def _schema(self) -> pl.Schema:
        return self.data.schema

    @cached_property
    def _counted(self) -> Counted:
        """One row per class: its keys, its rows and all that may be asked for beside them."""
        refuse_nested(self._schema.to_frame(), self.columns, phrase("Grouping by"))
        weight = self.weight
        if weight is not None and not self._schema[weight].is_numeric():
            weight = None  # what is wrong with it is said when weights are asked for
        return _counts_of(self.data, self.columns, weight)

    @property
    def class_counts(self) -> NDArray[np.int64]:
        """Rows of each class."""
        return self._counted.counts

    @property
    def keys(self) -> pl.DataFrame:
        """The key columns of each class."""
        return self._counted.keys

    def key(self, column: str) -> pl.Series:
        """One of the key columns of each class."""
        return self.keys[column]

    @cached_property
    def record_class(self) -> NDArray[np.int64]:
        """Class of each record; the records of a plan are not held, so they have none."""
        if isinstance(self.data, LazyTable):
            raise InternalError("The class of each record was requested for a streamed table.")
        if not self.columns:
            return np.zeros(self.data.height, dtype=np.int64)
        return numbered_by(self.keys, self.data.select(self.columns))

    def total(self, column: str) -> NDArray[np.float64]:
        """Sum of the weight column over each class."""
        check_weight(self._smallest(column), self._n_missing(column))
        weights = self._counted.weights
        if column != self.weight or weights is None:
            raise InternalError("Classes were not grouped with column '{column}'.", column=column)
        return weights

    def _smallest(self, column: str) -> pl.Series:
        """The column; of a plan, whose cells are not held, its smallest number."""
        if isinstance(self.data, LazyTable):
            numeric = self._schema[column].is_numeric()
            return self.data.smallest(column) if numeric else self._schema.to_frame()[column]
        return self.data[column]

    def _n_missing(self, column: str) -> int:
        if isinstance(self.data, LazyTable):
            return self.data.n_missing(column)
        return self.data[column].null_count()

    def histogram(self, column: str) -> Histogram:
        """How often each value of a column occurs in each class."""
        check_columns([column], self.data.columns)
        found, values, counts = counted_values(self.data, self.keys, column)
        known = values.rank("dense").cast(pl.Int64) - 1
        n_known = known.drop_nulls().n_unique()
        entries = pl.DataFrame(
            {"classes": found, "values": known.fill_null(n_known), "counts": counts}
        ).sort("classes", "values")
        arrays = {name: entries[name].to_numpy() for name in entries.columns}
        has_missing = known.null_count() > 0
        return Histogram(
            **arrays, n_values=n_known + has_missing, missing=n_known if has_missing else None
        )


def numbered_by(keys: pl.DataFrame, rows: pl.DataFrame) -> NDArray[np.int64]:
    """The number of the class of each row, given the keys of the classes."""
    if not keys.width:
        return np.zeros(rows.height, dtype=np.int64)
    number = free_name("class", keys.columns)
    numbered = keys.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias(number))
    rows, on = rows.select(keys.columns), list(keys.columns)
    if keys.width == 1 and keys.dtypes[0].is_float():
        # Polars merges one sorted column with another, and takes no NaN for another then.
        also = free_name("nan", [*on, number])
        rows, numbered = (
            one.with_columns(pl.col(on).is_nan().alias(also)) for one in (rows, numbered)
        )
        on.append(also)
    found = rows.join(numbered, on=on, how="left", nulls_equal=True, maintain_order="left")
    return found[number].to_numpy()


def counted_values(
    data: pl.DataFrame | LazyTable, keys: pl.DataFrame, column: str
) -> tuple[NDArray[np.int64], pl.Series, NDArray[np.int64]]:
    """Class, value and number of each pair that occurs, counted by streaming."""
    columns = list(dict.fromkeys([*keys.columns, column]))
    found = _counts_of(data, columns)
    return numbered_by(keys, found.keys), found.keys[column], found.counts


def _counts_of(
    data: pl.DataFrame | LazyTable, columns: Sequence[str], weight: str | None = None
) -> Counted:
    """The distinct rows of some columns, and how often each occurs, counted by streaming."""
    if isinstance(data, LazyTable):
        return data.count_distinct(columns, weight)
    return count_distinct_rows(data.lazy(), columns, weight)
