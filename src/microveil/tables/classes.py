"""Classes: the distinct combinations of quasi-identifiers and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from microveil.tables.class_sources import ClassSource, Histogram, class_source
from microveil.tables.missing_keys import matching_sizes
from microveil.tables.table import LazyTable, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Missing = Literal["category", "wildcard"]
"""How a missing key is read: a value of its own, or a match for every value (sdcMicro)."""


@dataclass(frozen=True, eq=False)
class Classes:
    """The distinct key combinations of a table with their sizes.

    All that privacy models, search and most risk measures see. Without keys, the whole table is
    one class. What costs more than counting (``keys``, ``record_class``) is worked out on demand.

    >>> from microveil.tables.table import Table
    >>> sorted(Classes.of(Table({"sex": ["f", "m", "f"]}), ["sex"]).sizes.tolist())
    [1, 2]
    """

    columns: tuple[str, ...]
    counts: NDArray[np.int64]
    """Records of each class (people, where the roles name an entity)."""
    sizes: NDArray[np.int64]
    """Records each class cannot be told from: ``counts``, or more where missing is a wildcard."""
    n_records: int
    missing: Missing
    weight: str | None
    """Column whose sums are ``weights``."""
    _source: ClassSource = field(repr=False)

    @classmethod
    def of(
        cls,
        table: Table | LazyTable,
        columns: Sequence[str] | None = None,
        missing: Missing = "category",
    ) -> Classes:
        """Count the classes of a table by its quasi-identifiers, or by other columns.

        A counting pass per key column; memory of two numbers per record at the most.
        """
        columns = tuple(table.roles.quasi_identifiers if columns is None else columns)
        table.require(columns)
        source = class_source(table, columns)
        counts = source.class_counts
        if table.roles.entity is not None:
            counts = source.distinct(table.roles.entity)
        sizes = matching_sizes(source.keys, counts) if missing == "wildcard" else counts
        return cls(columns, counts, sizes, table.height, missing, table.roles.weight, source)

    @property
    def n_classes(self) -> int:
        """Number of distinct combinations."""
        return len(self.counts)

    @property
    def k(self) -> int:
        """Size of the smallest class; 0 for an empty table."""
        return int(self.sizes.min()) if len(self.sizes) else 0

    @property
    def table(self) -> Table | LazyTable | None:
        """The table that was counted, for its roles and columns; none where only counts came."""
        return getattr(self._source, "table", None)

    @cached_property
    def keys(self) -> pl.DataFrame:
        """The combinations, one row per class, in the order of ``sizes``."""
        return self._source.keys

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
        return None if self.weight is None else self._source.total(self.weight)

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
        return self._source.histogram(column)
