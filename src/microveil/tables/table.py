"""Table: a Polars frame with the roles of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from microveil.tables.door import to_polars
from microveil.tables.roles import Roles, check_columns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, init=False)
class Table:
    """A Polars frame with the roles of its columns. Every change makes a new table.

    >>> Table({"age": [30, 40]}, Roles(quasi_identifiers=["age"])).height
    2
    """

    frame: pl.DataFrame
    roles: Roles
    rows: NDArray[np.int64] | None
    """Position in the original table of each row; none while all are there in their order.

    The link stays inside: it is never written.
    """
    linked: bool
    """Whether rows are rows of the original at all; synthetic records are nobody's."""

    def __init__(
        self,
        frame: Any,
        roles: Roles | None = None,
        rows: NDArray[np.int64] | None = None,
        *,
        linked: bool = True,
    ) -> None:
        """Take any data frame; a role whose column is not there is an error."""
        polars_frame = to_polars(frame)
        roles = Roles() if roles is None else roles
        roles.check_columns(polars_frame.columns)
        object.__setattr__(self, "frame", polars_frame)
        object.__setattr__(self, "roles", roles)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "linked", linked)

    @property
    def height(self) -> int:
        """Number of records."""
        return self.frame.height

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self.frame.columns

    def require(self, columns: Iterable[str]) -> None:
        """Raise :class:`~microveil.errors.ColumnError` unless all columns are there."""
        check_columns(columns, self.frame.columns)

    def with_roles(self, roles: Roles) -> Table:
        """The same data read with other roles."""
        return Table(self.frame, roles, self.rows, linked=self.linked)

    def with_frame(self, frame: pl.DataFrame) -> Table:
        """The same rows with other cells; roles of columns that are gone go too."""
        gone = set(self.frame.columns) - set(frame.columns)
        roles = self.roles.without(gone) if gone else self.roles
        return Table(frame, roles, self.rows, linked=self.linked)

    def with_columns(self, columns: Iterable[pl.Series] | Iterable[pl.Expr]) -> Table:
        """The same rows with some columns replaced or added."""
        return self.with_frame(self.frame.with_columns(columns))

    def drop(self, columns: Iterable[str]) -> Table:
        """The table without these columns and their roles."""
        return self.with_frame(self.frame.drop(list(columns)))

    def take(self, positions: NDArray[np.int64]) -> Table:
        """The rows at these positions, in this order."""
        return Table(self.frame[positions], self.roles, self._link(positions), linked=self.linked)

    def filter(self, keep: NDArray[np.bool_]) -> Table:
        """The rows where ``keep`` is true, in their order."""
        if keep.all():
            return self
        kept = np.flatnonzero(keep)
        return Table(self.frame.filter(keep), self.roles, self._link(kept), linked=self.linked)

    def _link(self, positions: NDArray[np.int64]) -> NDArray[np.int64] | None:
        if not self.linked:
            return None
        return positions if self.rows is None else self.rows[positions]


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A plan with the roles of its columns: counted by streaming through it, never held."""

    plan: pl.LazyFrame
    roles: Roles

    def __post_init__(self) -> None:
        """Refuse a role whose column is not there."""
        self.roles.check_columns(self.columns)

    @cached_property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self.plan.collect_schema().names()

    @cached_property
    def height(self) -> int:
        """Number of records."""
        return int(self.plan.select(pl.len()).collect(engine="streaming").item())

    def require(self, columns: Iterable[str]) -> None:
        """Raise :class:`~microveil.errors.ColumnError` unless all columns are there."""
        check_columns(columns, self.columns)


def as_table(data: Any, roles: Roles | None = None) -> Table:
    """A table as it is, that of a release or draft, or any frame read with ``roles``."""
    data = opened(data)
    if isinstance(data, Table):
        return data if roles is None else data.with_roles(roles)
    return Table(data, roles)


def opened(data: Any) -> Any:
    """The table of a release or draft, which knows which of its rows was which; others as is."""
    inside = getattr(data, "table", None)
    return inside if isinstance(inside, Table) else data
