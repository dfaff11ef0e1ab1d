"""Counting: rows, different values, groups, bins and tables of several columns."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal, Self

from pydantic import Field, model_validator

from microveil.arrays import Floats
from microveil.dp.keys import BinCode, KeyCode
from microveil.dp.parts import Estimates, Part, Term, Vector
from microveil.dp.queries.base import Query
from microveil.tables.roles import Columns

if TYPE_CHECKING:
    from microveil.dp.declaration import Declaration
    from microveil.dp.spread import Spread


def as_they_are(noisy: Floats, spread: Spread) -> Estimates:
    """The noisy number itself, with what the noise may have added on either side."""
    width = spread.half_widths()
    return Estimates(noisy, noisy - width, noisy + width)


ROWS = Term("rows")


class Count(Query):
    """Number of rows."""

    query: Literal["count"] = "count"
    column: str | None = None
    """Count only rows where this column is not missing."""

    def answer_columns(self) -> tuple[str, ...]:
        """The column that must not be missing."""
        return () if self.column is None else (self.column,)

    def part(self, declaration: Declaration) -> Part:
        """One number per group, moved by one for each row."""
        for name in self.answer_columns():
            declaration.column(name, self.join)
        return Vector((ROWS,), as_they_are, complete=self.answer_columns(), whole=True)

    def words(self) -> str:
        """What is counted."""
        return "count of rows" if self.column is None else f"count of {self.column}"


class DistinctCount(Query):
    """Number of different values of a column, or of people behind the rows."""

    query: Literal["distinct_count"] = "distinct_count"
    column: str | None = None
    """Column whose different values are counted; by default the entities (people)."""

    def answer_columns(self) -> tuple[str, ...]:
        """The column whose values are counted."""
        return () if self.column is None else (self.column,)

    def part(self, declaration: Declaration) -> Part:
        """A row brings one value at most, an entity counts once in each group."""
        for name in self.answer_columns():
            declaration.column(name, self.join)
        entity = declaration.entity
        if self.column is None and entity is None:
            return Vector((ROWS,), as_they_are, whole=True)
        column = entity.column if self.column is None and entity is not None else self.column
        once = entity is not None and column == entity.column
        term = Term(f"different values of {column}", distinct=column, once=once)
        return Vector((term,), as_they_are, complete=self.answer_columns(), whole=True)

    def words(self) -> str:
        """What is counted."""
        return f"number of different {self.column or 'entities'}"


class Histogram(Query):
    """Number of rows in each bin of a number or date, or for each key of a category."""

    query: Literal["histogram"] = "histogram"
    column: str
    """The column."""
    bins: int = Field(default=10, ge=1, le=1000)
    """Number of bins of equal width between the bounds, for numbers and dates."""
    edges: tuple[float, ...] | None = Field(default=None, min_length=2, max_length=1001)
    """Edges of the bins instead; values beyond fall into the first or last bin."""

    @model_validator(mode="after")
    def _rising(self) -> Self:
        edges = self.edges or ()
        if any(low >= high for low, high in pairwise(edges)):
            raise ValueError("Edges must be ascending.")
        return self

    def answer_columns(self) -> tuple[str, ...]:
        """The column."""
        return (self.column,)

    def axis(self, declaration: Declaration) -> KeyCode | BinCode:
        """The bins, or the keys of a column that is no number."""
        column = declaration.column(self.column, self.join)
        if column.type in {"text", "boolean"} or (column.keys is not None and self.edges is None):
            return KeyCode(self.column)
        if self.edges is not None:
            return BinCode(self.column, tuple(float(edge) for edge in self.edges))
        low, high = declaration.ordered_bounds(self.column, self.join)
        width = (high - low) / self.bins
        edges = (*(low + width * number for number in range(self.bins)), float(high))
        return BinCode(self.column, edges)

    def part(self, declaration: Declaration) -> Part:
        """One number per bin; a row is in one of them."""
        axis = self.axis(declaration)
        axis.labels(declaration, self.join)
        return Vector((ROWS,), as_they_are, axes=(axis,), whole=True)

    def words(self) -> str:
        """What is counted."""
        return f"histogram of {self.column}"


class Contingency(Query):
    """Number of rows for each combination of several columns' keys."""

    query: Literal["contingency"] = "contingency"
    columns: Columns = Field(min_length=1)
    """The columns; each needs public keys."""

    def answer_columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return self.columns

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        if len({*self.columns, *self.by}) < len(self.columns) + len(self.by):
            raise ValueError("Each column may occur only once, in `columns` or in `by`.")
        return self

    def part(self, declaration: Declaration) -> Part:
        """One number per combination; a row is in one of them."""
        axes = tuple(KeyCode(name) for name in self.columns)
        for axis in axes:
            axis.labels(declaration, self.join)
        return Vector((ROWS,), as_they_are, axes=axes, whole=True)

    def words(self) -> str:
        """What is counted."""
        return f"table of {' × '.join(self.columns)}"
