"""Classes: the distinct combinations of quasi-identifiers and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from microveil.display import Card, Shown, grid
from microveil.errors import InternalError
from microveil.tables.class_sources import ClassSource, Histogram, class_source, histogram_of
from microveil.tables.missing_keys import has_gaps, matched_sums
from microveil.tables.people import PeopleSource, closed_up
from microveil.tables.table import LazyTable, Table
from microveil.texts import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

Missing = Literal["category", "wildcard"]
"""How a missing key is treated: as a value of its own, or matching every value (sdcMicro)."""

_SMALL = {"1": 1, "2": 2, "3": 3, "4": 4}
"""Sizes of classes that a card counts one by one."""
A_FEW = 1_000
"""Rows that mostly show whether a column has several values."""


@dataclass(frozen=True, eq=False, repr=False)
class Classes(Shown):
    """The equivalence classes of a table: its distinct key combinations with their sizes.

    This is all that privacy models, search and most risk measures see. Without keys, the whole
    table is one class. What costs more than counting (``keys``, ``record_class``) is computed on
    demand.

    If rows have an entity, people are counted. If the entity column shows which rows belong to one
    person, a class is a set of keys: people are alike when all their rows are.

    >>> from microveil.tables.table import Table
    >>> sorted(Classes.of(Table({"sex": ["f", "m", "f"]}), ["sex"]).sizes.tolist())
    [1, 2]
    """

    columns: tuple[str, ...]
    counts: NDArray[np.int64]
    """Records in each class (people, if the roles name an entity)."""
    sizes: NDArray[np.int64]
    """Records that match each class: ``counts``, or more if missing is a wildcard."""
    n_records: int
    missing: Missing
    weight: str | None
    """Column that ``weights`` sums."""
    _source: ClassSource | PeopleSource = field(repr=False)
    table: Table | LazyTable | None = field(repr=False)
    """The table that was counted, for its roles and columns; None if only counts were given."""

    @classmethod
    def of(
        cls,
        table: Table | LazyTable,
        columns: Sequence[str] | None = None,
        missing: Missing = "category",
    ) -> Classes:
        """Count the classes of a table by its quasi-identifiers, or by other columns.

        Takes a counting pass per key column and at most two numbers of memory per record. A table
        remembers the classes of its quasi-identifiers and scenarios: they are counted once.
        """
        columns = tuple(table.roles.quasi_identifiers if columns is None else columns)
        table.require(columns)
        return cls._recall(table, columns, missing, linked=True)

    @classmethod
    def _recall(
        cls, table: Table | LazyTable, columns: tuple[str, ...], missing: Missing, *, linked: bool
    ) -> Classes:
        if isinstance(table, LazyTable) or columns not in table.roles.key_sets().values():
            return cls._count(table, columns, missing, linked=linked)
        question = (columns, missing, table.roles.weight, linked)
        if question not in table.known_classes:
            found = cls._count(table, columns, missing, linked=linked)
            table.known_classes[question] = replace(found, table=None)
        remembered: Classes = table.known_classes[question]
        return replace(remembered, table=table)

    @classmethod
    def _count(
        cls, table: Table | LazyTable, columns: tuple[str, ...], missing: Missing, *, linked: bool
    ) -> Classes:
        held = table.hold(columns) if isinstance(table, LazyTable) else table
        records = _group_rows(held, columns)
        source: ClassSource | PeopleSource = records
        if isinstance(held, Table) and held.people is not None:
            linked = (
                linked and held.linked and (missing == "category" or not has_gaps(records.keys))
            )
            source = PeopleSource(
                records,
                closed_up(held.people),
                _weight_of(held),
                linked=linked,
                joined=held.joined,
            )
        counts = source.people_counts if isinstance(source, PeopleSource) else source.class_counts
        weight = table.roles.weight
        found = cls(columns, counts, counts, table.height, missing, weight, source, table)
        if missing == "category":
            return found
        return replace(
            found, sizes=found._count_matches(1.0, weighted=False)[:, 0].astype(np.int64)
        )

    def with_missing(self, missing: Missing) -> Classes:
        """The same classes with another treatment of missing keys."""
        if missing == self.missing or self.table is None:
            return self
        return Classes.of(self.table, self.columns, missing)

    def card(self) -> Card:
        """How many classes there are and how small; no keys, which are cells."""
        keys = ", ".join(self.columns) or "no keys"
        rows = [(name, int((self.sizes == size).sum())) for name, size in _SMALL.items()]
        more = int((self.sizes > len(_SMALL)).sum())
        shown = grid(("size", "classes"), [*rows, (f"{len(_SMALL) + 1} or more", more)])
        title = f"{self.n_classes:,} classes of {self.n_records:,} records by {keys}"
        return Card(title, (f"smallest class: {self.k}",), (shown,))

    @property
    def n_classes(self) -> int:
        """Number of distinct combinations."""
        return len(self.counts)

    @property
    def k(self) -> int:
        """Size of the smallest class; 0 for an empty table."""
        return int(self.sizes.min()) if len(self.sizes) else 0

    @property
    def average_risk(self) -> float:
        """Mean of 1 / size over all records (people, if classes count them)."""
        n = int(self.counts.sum())
        return float(self.counts @ (1 / self.sizes)) / n if n else 0.0

    @property
    def people(self) -> NDArray[np.int64] | None:
        """Person of each record, if people are counted."""
        return self._source.people if isinstance(self._source, PeopleSource) else None

    @property
    def entity(self) -> str | None:
        """Column of the original that tells people apart, if people are counted."""
        return None if self.people is None or self.table is None else self.table.entity

    @property
    def linked(self) -> bool:
        """Whether classes describe people by all their rows, rather than single rows."""
        return isinstance(self._source, PeopleSource) and self._source.linked

    @property
    def grouped(self) -> bool:
        """Whether some class is a set of several keys, which nobody has in one row."""
        return isinstance(self._source, PeopleSource) and self._source.grouped

    @property
    def by_row(self) -> Classes:
        """Classes of single rows, counting people if there are any."""
        if not self.grouped or self.table is None:
            return self
        return self._recall(self.table, self.columns, self.missing, linked=False)

    @property
    def note(self) -> str | None:
        """What a reader must know about how people were counted; None if nothing is special."""
        source = self._source
        entity = None if self.table is None else self.table.roles.entity
        if not isinstance(source, PeopleSource) or source.linked or not source.joined:
            return None
        if source.sets.single:
            return None
        return Message(
            "check.rows_apart",
            "Column '{entity}' links rows, but each row was assessed separately: all rows of a "
            "person together may be rarer.",
            entity=entity,
        )

    @cached_property
    def keys(self) -> pl.DataFrame:
        """The combinations, one row per class, in the order of ``sizes``."""
        return self._source.keys

    def key(self, column: str) -> pl.Series:
        """One column of ``keys``, which are not kept for it."""
        source = self._source
        return source.keys[column] if isinstance(source, PeopleSource) else source.key(column)

    @cached_property
    def record_counts(self) -> NDArray[np.int64]:
        """Rows of each class, even if ``counts`` are people."""
        return self._source.class_counts

    @cached_property
    def record_class(self) -> NDArray[np.int64]:
        """Class of each record."""
        return self._source.record_class

    @cached_property
    def weights(self) -> NDArray[np.float64] | None:
        """Summed sampling weight of each class, if the roles name one; a person counts once."""
        if self.weight is None:
            return None
        if isinstance(self._source, PeopleSource):
            return self._source.weights
        return self._source.total(self.weight)

    @cached_property
    def population(self) -> NDArray[np.float64] | None:
        """Weight of all records that match each class, if the roles name a weight."""
        return None if self.weight is None else self.count_matches()[:, 1]

    @property
    def n_people(self) -> float:
        """People in the population: the sum of the weights, or those in the table without them."""
        if isinstance(self._source, PeopleSource):
            return self._source.total_weight
        return float(self.n_records if self.weights is None else self.weights.sum())

    def count_matches(self, alpha: float = 1.0) -> NDArray[np.float64]:
        """Records (people) that match each class, and their weight: (classes, 2).

        ``alpha`` is the weight of a match that only a missing key makes. Without weights everybody
        weighs 1.
        """
        return self._count_matches(alpha, weighted=self.weight is not None)

    def _count_matches(self, alpha: float, *, weighted: bool) -> NDArray[np.float64]:
        if self.missing == "wildcard" and isinstance(self._source, PeopleSource):
            return self._source.count_matches(alpha, weighted=weighted)
        counts = self.counts.astype(np.float64)
        weights = self.weights if weighted else None
        amounts = np.column_stack([counts, counts if weights is None else weights])
        if self.missing == "category":
            return amounts
        return matched_sums(self.keys, amounts, alpha=alpha)

    @cached_property
    def all_missing(self) -> NDArray[np.bool_]:
        """Classes with every key missing: fully suppressed records."""
        if isinstance(self.table, Table) and not all(
            self.table.frame[name].null_count() for name in self.columns
        ):
            return np.zeros(self.n_classes, dtype=np.bool_)
        return self.where_all(pl.Series.is_null)

    @property
    def constant_keys(self) -> tuple[str, ...]:
        """Keys with one and the same value in every row, missing included; none of no rows."""
        source = self._source
        records = source.records if isinstance(source, PeopleSource) else source
        found = []
        for name in self.columns if self.n_records else ():
            table = self.table
            values = table.frame[name] if isinstance(table, Table) else records.key(name)
            if values.head(A_FEW).n_unique() == 1 and values.n_unique() == 1:
                found.append(name)
        return tuple(found)

    def where_all(self, test: Callable[[pl.Series], pl.Series]) -> NDArray[np.bool_]:
        """Classes whose every key passes a test of columns; none if there are no keys."""
        if not self.columns:
            return np.zeros(self.n_classes, dtype=np.bool_)
        source = self._source
        records = source.records if isinstance(source, PeopleSource) else source
        passed = np.ones(len(records.class_counts), dtype=np.bool_)
        for name in self.columns:
            if passed.any():
                passed &= test(records.key(name)).to_numpy()
        return source.all_of(passed) if isinstance(source, PeopleSource) else passed

    def of_records(self, per_class: NDArray[np.int64]) -> NDArray[np.int64]:
        """One value per class expanded to the records of the class."""
        return per_class[self.record_class]

    def histogram(self, column: str) -> Histogram:
        """How often each value of a sensitive column occurs in the records of each class."""
        if not isinstance(self._source, PeopleSource):
            return self._source.histogram(column)
        if self.table is None:
            raise InternalError("Values were requested of classes that were only counted.")
        self.table.require([column])
        return histogram_of(self.record_class, self.table.column(column))


def _group_rows(table: Table | LazyTable, columns: tuple[str, ...]) -> ClassSource:
    """The rows grouped by keys, once for all treatments of missing keys."""
    if isinstance(table, LazyTable) or columns not in table.roles.key_sets().values():
        return class_source(table, columns)
    question = (columns, table.roles.weight)
    if question not in table.known_classes:
        table.known_classes[question] = class_source(table, columns)
    found: ClassSource = table.known_classes[question]
    return found


def _weight_of(table: Table) -> pl.Series | None:
    weight = table.roles.weight
    return None if weight is None else table.frame[weight]
