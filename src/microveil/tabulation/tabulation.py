"""Tabulation: a table to publish."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from microveil.hierarchies import AnyHierarchy
from microveil.specs import Spec
from microveil.tables.roles import Columns
from microveil.texts import phrase

Statistic = Literal["count", "sum", "mean"]
MISSING = "(missing)"
"""The code of missing values, directly below the total."""


class CellColumns(Spec):
    """Columns of a table that is already aggregated: one row per cell, totals included."""

    count: str
    """Column with the number of contributors of each cell."""
    total: str | None = None
    """Column with the value of each cell; without it the count is the value."""
    largest: Columns = ()
    """Columns with the largest contributions, the largest first."""
    cost: str | None = None
    """Column with what suppressing each cell costs."""


class Tabulation(Spec):
    """A table to publish: who is counted, by which variables, and what is added up.

    Every variable has a total, and each of its hierarchy's levels a row of its own.

    >>> Tabulation(by=["region", "sex"], value="income").shown_statistic
    'sum'
    """

    by: Columns = Field(min_length=1)
    """Variables of the table."""
    value: str | None = None
    """Column that is added up or averaged; without it records are counted."""
    statistic: Statistic | None = None
    """What a cell shows: ``count``, ``sum`` or ``mean``; by default a sum if there is a value."""
    hierarchies: dict[str, AnyHierarchy] = Field(default_factory=dict)
    """Hierarchies of the variables: a code for each branch, with its own total."""
    weight: str | None = None
    """Column of sampling weights."""
    contributor: str | None = None
    """Column that tells contributors apart, such as a holding; by default the entity, or rows."""
    cost: str | None = None
    """Column that is added up to what suppressing a cell costs (``Suppress(cost="column")``)."""
    waiver: str | None = None
    """Column that says of each contributor whether they agreed to be published."""
    missing: Literal["unsafe", "safe"] = "unsafe"
    """Whether rules hold for cells of missing codes too, or such cells are always safe."""
    total_code: str = "Total"
    """Code of the total of each variable."""
    cells: CellColumns | None = None
    """Columns of a table that is already aggregated."""
    name: str | None = None
    """Name of the table in files; by default made of its variables."""

    @model_validator(mode="after")
    def _fitting(self) -> Self:
        if self.value is None and self.statistic in {"sum", "mean"}:
            raise ValueError(
                phrase(
                    "a {statistic} needs a `value`: the column to add up", statistic=self.statistic
                )
            )
        unknown = sorted(set(self.hierarchies) - set(self.by))
        if unknown:
            raise ValueError(
                phrase("`hierarchies` names '{name}', which is not in `by`", name=unknown[0])
            )
        if self.total_code == MISSING:
            raise ValueError(
                phrase("the code of the total must differ from that of missing values")
            )
        return self

    @property
    def shown_statistic(self) -> Statistic:
        """What a cell shows."""
        if self.statistic is not None:
            return self.statistic
        return "count" if self.value is None else "sum"

    @property
    def title(self) -> str:
        """Name of the table: its own, or its variables with what is counted."""
        if self.name is not None:
            return self.name
        what = f"{self.shown_statistic} of {self.value}" if self.value else "count"
        return f"{what} by {', '.join(self.by)}"

    @property
    def family(self) -> tuple[Any, ...]:
        """Equal for tables whose cells add up to one another: the same measure of the same data."""
        value = self.value if self.shown_statistic != "count" else None
        if self.cells is not None:
            value = self.cells.total or self.cells.count
        return value, self.weight, self.contributor


def as_tabulations(given: Any) -> tuple[Tabulation, ...]:
    """One tabulation, its plain data, or several of either."""
    many = [given] if isinstance(given, Tabulation | dict) else list(given)
    return tuple(one if isinstance(one, Tabulation) else Tabulation.parse(one) for one in many)


__all__ = ["MISSING", "CellColumns", "Statistic", "Tabulation", "as_tabulations"]
