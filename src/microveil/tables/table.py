"""Table: a Polars frame with the roles of its columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from microveil.display import Card, Shown, grid
from microveil.tables.cells import tidy_cells, tidy_plan
from microveil.tables.door import to_polars
from microveil.tables.names import free_name
from microveil.tables.people import linked_by, number_people
from microveil.tables.roles import Roles, as_roles, check_columns

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Table(Shown):
    """A Polars frame with the roles of its columns. Every change makes a new table.

    >>> Table({"age": [30, 40]}, Roles(quasi_identifiers=["age"])).height
    2
    """

    frame: pl.DataFrame
    roles: Roles
    rows: NDArray[np.int64] | None
    """Position in the original table of each row; None while all rows are in their original order.

    The link is internal: it is never written.
    """
    entity: str | None
    """Column that tells people apart, by its name in the original: steps may have dropped it."""
    _carried: NDArray[np.int64] | None = field(repr=False)
    synthetic: bool
    """Whether rows are synthetic: newly drawn, and not rows of the original."""

    def __init__(
        self,
        frame: Any,
        roles: Roles | None = None,
        rows: NDArray[np.int64] | None = None,
        people: NDArray[np.int64] | None = None,
        *,
        entity: str | None = None,
        synthetic: bool = False,
    ) -> None:
        """Accept any data frame; a role whose column does not exist is an error.

        ``people`` gives the person of each row, if no column shows it any more, and ``entity`` the
        name that such a column has in the original.
        """
        polars_frame = to_polars(frame)
        roles = as_roles(roles)
        roles.check_columns(polars_frame.columns)
        self._set(polars_frame, roles, rows, people, entity=entity, synthetic=synthetic)

    def _set(
        self,
        frame: pl.DataFrame,
        roles: Roles,
        rows: NDArray[np.int64] | None,
        people: NDArray[np.int64] | None,
        *,
        entity: str | None,
        synthetic: bool,
    ) -> Table:
        object.__setattr__(self, "frame", frame)
        object.__setattr__(self, "roles", roles)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "entity", roles.entity or entity)
        object.__setattr__(self, "_carried", people)
        object.__setattr__(self, "synthetic", synthetic)
        return self

    def _some(self, frame: pl.DataFrame, positions: NDArray[np.int64]) -> Table:
        """Some of the rows, whose cells have already been tidied."""
        # Positions among synthetic rows are not rows of the original, which may have fewer.
        found = positions if self.rows is None else self.rows[positions]
        rows = None if self.synthetic else found
        people = None if self.people is None else self.people[positions]
        return self._known_linked(self._like(frame, self.roles, rows, people))

    def _like(
        self,
        frame: pl.DataFrame,
        roles: Roles,
        rows: NDArray[np.int64] | None,
        people: NDArray[np.int64] | None,
    ) -> Table:
        """A table made from this one; its cells are not tidied again."""
        made = object.__new__(Table)
        entity = None if people is None else self.entity
        return made._set(frame, roles, rows, people, entity=entity, synthetic=self.synthetic)

    @cached_property
    def known_classes(self) -> dict[Hashable, Any]:
        """Classes of this table that were counted, by what was asked; kept by ``Classes``.

        Nothing in it refers to the table, so that a table that nobody needs is freed at once.
        """
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """What is stored or sent elsewhere: not what can be counted again."""
        return {name: value for name, value in self.__dict__.items() if name != "known_classes"}

    @cached_property
    def people(self) -> NDArray[np.int64] | None:
        """A number for the person of each row, if rows have an entity; otherwise None.

        It refers to the original: steps may change or drop the entity column, and people are still
        counted as people. The numbers are internal: they are never written.
        """
        if self._carried is not None or self.roles.entity is None:
            return self._carried
        return number_people(self.frame[self.roles.entity])

    @cached_property
    def linked(self) -> bool:
        """Whether the entity column, as it is now, shows which rows belong to one person."""
        entity, people = self.roles.entity, self.people
        if entity is None or people is None:
            return False
        return self._carried is None or linked_by(self.frame[entity], people)

    def _known_linked(self, made: Table) -> Table:
        """A table made from this one that is linked as well, if this is known to be.

        Its entity column has the same cells, of all rows or of some: they still show who is who.
        """
        told_by_column = self._carried is None and self.roles.entity is not None
        if told_by_column or self.__dict__.get("linked"):
            made.__dict__["linked"] = True
        return made

    @cached_property
    def joined(self) -> bool:
        """Whether the entity column, as it is now, links some rows, rightly or not."""
        entity = self.roles.entity
        if entity is None:
            return False
        return self.linked or 1 < self.frame[entity].n_unique() < self.height

    def card(self) -> Card:
        """Columns with their types and roles; to see records, use ``frame``."""
        rows = [
            (name, str(dtype), ", ".join(self.roles.of(name)) or None)
            for name, dtype in self.frame.schema.items()
        ]
        title = f"Table of {self.height:,} records, {self.frame.width} columns"
        return Card(title, (), (grid(("column", "type", "role"), rows),))

    @property
    def height(self) -> int:
        """Number of records."""
        return self.frame.height

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self.frame.columns

    def column(self, name: str) -> pl.Series:
        """One column, in the order of the rows."""
        return self.frame[name]

    def require(self, columns: Iterable[str]) -> None:
        """Raise :class:`~microveil.errors.ColumnError` unless all columns are there."""
        check_columns(columns, self.frame.columns)

    def with_roles(self, roles: Roles) -> Table:
        """The same data with other roles."""
        roles.check_columns(self.columns)
        if roles.entity != self.roles.entity:
            return self._like(self.frame, roles, self.rows, None)
        made = self._known_linked(self._like(self.frame, roles, self.rows, self.people))
        made.__dict__["known_classes"] = self.known_classes  # the same cells of the same people
        return made

    def rebase(self, rows: NDArray[np.int64] | None) -> Table:
        """The same data, whose rows refer to another original."""
        return self._like(self.frame, self.roles, rows, self.people)

    def with_frame(self, frame: pl.DataFrame) -> Table:
        """The same rows with other cells; roles of dropped columns are removed."""
        return self._with(frame, frame.columns)

    def with_columns(self, columns: Iterable[pl.Series] | Iterable[pl.Expr]) -> Table:
        """The same rows with some columns replaced or added."""
        new: list[Any] = list(columns)
        names = [one.name for one in new if isinstance(one, pl.Series)]
        frame = self.frame.with_columns(new)
        return self._with(frame, names if len(names) == len(new) else frame.columns)

    def drop(self, columns: Iterable[str]) -> Table:
        """The table without these columns and their roles."""
        return self._with(self.frame.drop(list(columns)), ())

    def _with(self, frame: pl.DataFrame, changed: Iterable[str]) -> Table:
        """The same rows; only columns that may have changed are tidied."""
        gone = set(self.frame.columns) - set(frame.columns)
        roles = self.roles.without(gone) if gone else self.roles
        made = self._like(tidy_cells(frame, changed), roles, self.rows, self.people)
        return made if self.roles.entity in {*changed, *gone} else self._known_linked(made)

    def take(self, positions: NDArray[np.int64]) -> Table:
        """The rows at these positions, in this order."""
        return self._some(self.frame[positions], positions)

    def filter(self, keep: NDArray[np.bool_]) -> Table:
        """The rows where ``keep`` is true, in their order."""
        if keep.all():
            return self
        return self._some(self.frame.filter(keep), np.flatnonzero(keep))


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A lazy plan with the roles of its columns: streamed for counting, never held."""

    plan: pl.LazyFrame
    roles: Roles

    def __post_init__(self) -> None:
        """Refuse a role whose column does not exist, and give empty cells one meaning."""
        object.__setattr__(self, "plan", tidy_plan(self.plan))
        self.roles.check_columns(self.columns)

    @cached_property
    def schema(self) -> pl.Schema:
        """Names and types of the columns."""
        return self.plan.collect_schema()

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self.schema.names()

    @property
    def entity(self) -> str | None:
        """Column that tells people apart."""
        return self.roles.entity

    @cached_property
    def height(self) -> int:
        """Number of records."""
        return int(self.plan.select(pl.len()).collect(engine="streaming").item())

    def require(self, columns: Iterable[str]) -> None:
        """Raise :class:`~microveil.errors.ColumnError` unless all columns are there."""
        check_columns(columns, self.columns)

    def hold(self, columns: Iterable[str]) -> Table | LazyTable:
        """The columns needed for classes, in memory if the roles name an entity; else the plan."""
        roles = self.roles
        if roles.entity is None:
            return self
        wanted = dict.fromkeys([*columns, roles.entity, *([roles.weight] if roles.weight else [])])
        kept = roles.without(set(roles.named) - set(wanted))
        return Table(self.plan.select(list(wanted)).collect(engine="streaming"), kept)

    def column(self, name: str) -> pl.Series:
        """One column, in the order of the rows."""
        return self.plan.select(name).collect(engine="streaming")[name]

    def n_missing(self, name: str) -> int:
        """Cells of a column that are missing."""
        return int(self.plan.select(pl.col(name).null_count()).collect(engine="streaming").item())

    def smallest(self, name: str) -> pl.Series:
        """The smallest number of a column, alone in a column of its name."""
        return self.plan.select(pl.col(name).min()).collect(engine="streaming")[name]

    def count_distinct(self, columns: Sequence[str], weight: str | None = None) -> Counted:
        """The distinct rows of some columns, and how often each occurs."""
        return count_distinct_rows(self.plan, columns, weight)


class Counted(NamedTuple):
    """Distinct rows, in their order, and how often each occurs: a frequency table."""

    keys: pl.DataFrame
    counts: NDArray[np.int64]
    weights: NDArray[np.float64] | None = None
    """Summed weight of each, where one was asked for."""

    @property
    def n_records(self) -> int:
        """Rows that were counted."""
        return int(self.counts.sum())

    def of(self, columns: Sequence[str]) -> Counted:
        """The frequency table of some of the columns."""
        n, weight = free_name("n", columns), free_name("weight", columns)
        frame = self.keys.select(columns).with_columns(pl.Series(n, self.counts))
        sums = [pl.col(n).sum()]
        if self.weights is not None:
            frame = frame.with_columns(pl.Series(weight, self.weights))
            sums.append(pl.col(weight).sum())
        return _collect_sorted(frame.lazy().group_by(columns).agg(sums), columns, n, weight)


def count_distinct_rows(
    plan: pl.LazyFrame, columns: Sequence[str], weight: str | None = None
) -> Counted:
    """The distinct rows of some columns of a plan, counted by streaming through it."""
    n, summed = free_name("n", columns), free_name("weight", columns)
    sums = [pl.len().cast(pl.Int64).alias(n)]
    if weight is not None:
        sums.append(pl.col(weight).cast(pl.Float64).sum().alias(summed))
    if not columns:
        whole = plan.select(sums).collect(engine="streaming").filter(pl.col(n) > 0)
        weights = None if weight is None else whole[summed].to_numpy()
        return Counted(whole.select([]), whole[n].to_numpy(), weights)
    return _collect_sorted(plan.group_by(columns).agg(sums), columns, n, summed)


def _collect_sorted(grouped: pl.LazyFrame, columns: Sequence[str], n: str, weight: str) -> Counted:
    # Random draws follow this order, so Polars' threads must not decide it.
    found = grouped.collect(engine="streaming").sort(columns)
    weights = found[weight].to_numpy() if weight in found.columns else None
    return Counted(found.select(columns), found[n].cast(pl.Int64).to_numpy(), weights)


def as_table(data: Any, roles: Roles | None = None) -> Table:
    """A table as it is, that of a release or draft, or any frame with ``roles``."""
    data = table_inside(data)
    if isinstance(data, Table):
        return data if roles is None else data.with_roles(roles)
    return Table(data, roles)


def table_inside(data: Any) -> Any:
    """The table of a release or draft, which has the row link; anything else unchanged."""
    inside = getattr(data, "table", None)
    return inside if isinstance(inside, Table) else data
