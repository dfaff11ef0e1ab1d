"""Classes: the distinct combinations of quasi-identifiers and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from microveil.errors import ColumnError, InternalError
from microveil.tables.codes import Codes, encode, pack
from microveil.tables.wildcards import matching_sizes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from microveil.tables.table import Table

Missing = Literal["category", "wildcard"]
"""How a missing key is read: a value of its own, or a match for every value (sdcMicro)."""

DENSE_SHARE = 4
"""Counting in an array of all possible keys pays up to this many cells per record."""


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


@dataclass(frozen=True, eq=False)
class Classes:
    """The distinct key combinations of a table with their sizes.

    All that privacy models, search and most risk measures see. Without keys, the whole table is
    one class. What costs more than counting (``keys``, ``record_class``) is worked out on demand.

    >>> from microveil.tables.table import Table
    >>> Classes.of(Table({"sex": ["f", "m", "f"]}), ["sex"]).sizes.tolist()
    [2, 1]
    """

    columns: tuple[str, ...]
    counts: NDArray[np.int64]
    """Records of each class (people, where the roles name an entity)."""
    sizes: NDArray[np.int64]
    """Records each class cannot be told from: ``counts``, or more where missing is a wildcard."""
    n_records: int
    missing: Missing
    _source: _Source = field(repr=False)

    @classmethod
    def of(
        cls, table: Table, columns: Sequence[str] | None = None, missing: Missing = "category"
    ) -> Classes:
        """Count the classes of a table by its quasi-identifiers, or by other columns.

        A counting pass per key column; memory of two numbers per record at the most.
        """
        columns = tuple(table.roles.quasi_identifiers if columns is None else columns)
        table.require(columns)
        source = _Source(table, pack(table.frame, columns))
        counts = source.class_counts
        if table.roles.entity is not None:
            counts = source.distinct_per_class(table.roles.entity)
        sizes = counts
        if missing == "wildcard":
            sizes = matching_sizes(source.keys(columns), counts)
        return cls(columns, counts, sizes, table.height, missing, source)

    @property
    def n_classes(self) -> int:
        """Number of distinct combinations."""
        return len(self.counts)

    @property
    def k(self) -> int:
        """Size of the smallest class; 0 for an empty table."""
        return int(self.sizes.min()) if len(self.sizes) else 0

    @cached_property
    def keys(self) -> pl.DataFrame:
        """The combinations, one row per class, in the order of ``sizes``."""
        return self._source.keys(self.columns)

    @cached_property
    def record_counts(self) -> NDArray[np.int64]:
        """Rows of each class, also where ``counts`` are people."""
        return self._source.class_counts

    @cached_property
    def record_class(self) -> NDArray[np.int64]:
        """Class of each record."""
        return self._source.record_class

    @cached_property
    def weights(self) -> NDArray[np.float64] | None:
        """Summed sampling weight of each class, where the roles name a weight."""
        table = self._source.table
        if table.roles.weight is None:
            return None
        weight = table.frame[table.roles.weight]
        if not weight.dtype.is_numeric() or weight.null_count():
            msg = f"Weight column '{weight.name}' must be numbers without gaps."
            raise ColumnError(msg)
        numbers: NDArray[np.float64] = weight.cast(pl.Float64).to_numpy()
        summed = np.bincount(self.record_class, weights=numbers, minlength=self.n_classes)
        return summed.astype(np.float64, copy=False)

    @cached_property
    def all_missing(self) -> NDArray[np.bool_]:
        """Classes whose every key is missing: fully suppressed records."""
        if not self.columns:
            return np.zeros(self.n_classes, dtype=np.bool_)
        return self.keys.select(pl.all_horizontal(pl.all().is_null())).to_series().to_numpy()

    def of_records(self, per_class: NDArray[np.int64]) -> NDArray[np.int64]:
        """One value per class spread over the records of the class."""
        return per_class[self.record_class]

    def histogram(self, column: str) -> Histogram:
        """How often each value of a sensitive column occurs in each class."""
        self._source.table.require([column])
        codes = encode(self._source.table.frame[column])
        _, values = np.unique(codes.values, return_inverse=True)
        n_values = int(values.max()) + 1 if len(values) else 0
        pairs = self.record_class * max(n_values, 1) + values
        pairs, counts = np.unique(pairs, return_counts=True)
        classes, values = np.divmod(pairs, max(n_values, 1))
        return Histogram(classes, values, counts, n_values)


@dataclass(eq=False)
class _Source:
    """The packed keys of a table, and what can be worked out from them."""

    table: Table
    packed: Codes

    @cached_property
    def _dense(self) -> bool:
        return self.packed.radix <= DENSE_SHARE * max(len(self.packed.values), 1024)

    @cached_property
    def _counted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Packed keys that occur, ascending, and how often."""
        packed = self.packed.values
        if self._dense:
            cells = np.bincount(packed, minlength=self.packed.radix)
            occurring = np.flatnonzero(cells)
            return occurring, cells[occurring]
        # Equal keys are neighbours after sorting, so a class is a run.
        ordered = np.sort(packed)
        starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
        counts = np.diff(starts, append=len(ordered))
        return ordered[starts], counts

    @property
    def class_counts(self) -> NDArray[np.int64]:
        return self._counted[1]

    @cached_property
    def record_class(self) -> NDArray[np.int64]:
        occurring, _ = self._counted
        packed = self.packed.values
        if not self._dense:
            return np.searchsorted(occurring, packed).astype(np.int64, copy=False)
        number = np.empty(self.packed.radix, dtype=np.int64)
        number[occurring] = np.arange(len(occurring))
        return number[packed]

    def keys(self, columns: Sequence[str]) -> pl.DataFrame:
        """The key columns of one record of each class."""
        if not columns:
            return pl.DataFrame()
        example = np.empty(len(self.class_counts), dtype=np.int64)
        example[self.record_class] = np.arange(self.table.height)
        return self.table.frame.select(columns)[example]

    def distinct_per_class(self, column: str) -> NDArray[np.int64]:
        """Number of distinct values of a column in each class; a missing one counts once."""
        codes = encode(self.table.frame[column])
        n_classes = len(self.class_counts)
        if n_classes * codes.radix >= 2**62:
            msg = "Too many classes and entities to count together."
            raise InternalError(msg)
        pairs = np.unique(self.record_class * codes.radix + codes.values)
        return np.bincount(pairs // codes.radix, minlength=n_classes)
