"""Statuses that are given beforehand: cells that must, may not or need not be suppressed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from pydantic import Field

from microveil.arrays import Flags, Floats
from microveil.errors import InputError
from microveil.specs import Spec
from microveil.tabulation.cells import Cells
from microveil.tabulation.rules import Judgement

GivenStatus = Literal["unsafe", "suppressed", "safe", "published"]


class CellStatus(Spec):
    """What is known of one cell before any rule looks at it.

    >>> CellStatus(cell={"town": "Ames"}, status="published").status
    'published'
    """

    cell: dict[str, str]
    """The cell by its codes; a variable that is not named is at its total."""
    status: GivenStatus | None = None
    """``unsafe``: protected like a cell that a rule finds. ``suppressed``: left out, whatever can
    be computed of it. ``safe``: no rule finds it unsafe, it may serve to protect others.
    ``published``: shown in any case, as it was published before."""
    table: str | None = None
    """Name of the table; by default every table that has the variables."""
    level: float = Field(default=0.0, ge=0)
    """Protection level of an unsafe cell, in percent of its value."""
    cost: float | None = Field(default=None, ge=0)
    """What its suppression costs."""


@dataclass(frozen=True, eq=False)
class Given:
    """What is given of all cells of a family of tables."""

    safe: Flags
    published: Flags
    suppressed: Flags
    unsafe: Flags
    levels: Floats
    costs: Floats
    """NaN where no cost is given."""

    @classmethod
    def of(cls, cells: Cells, statuses: Sequence[CellStatus]) -> Given:
        """Look the cells up; two statuses of one cell that contradict each other are an error."""
        n = cells.n_cells
        flags = {name: np.zeros(n, dtype=np.bool_) for name in _NAMES}
        levels, costs = np.zeros(n), np.full(n, np.nan)
        for one in statuses:
            for cell in _find(cells, one):
                if one.status is not None:
                    _refuse_second(flags, cell, one.status, cells)
                    flags[one.status][cell] = True
                    levels[cell] = one.level
                if one.cost is not None:
                    costs[cell] = one.cost
        return cls(**flags, levels=levels, costs=costs)

    def with_earlier(self, shown: Flags, hidden: Flags) -> Given:
        """The same, with cells that an earlier table has shown or left out."""
        return replace(
            self,
            published=self.published | (shown & ~self.suppressed),
            suppressed=self.suppressed | (hidden & ~self.unsafe & ~self.published),
        )

    def amend(self, judged: Judgement, cells: Cells) -> Judgement:
        """What the rules found, with what is given; a cell cannot be both shown and unsafe."""
        unsafe = (judged.unsafe & ~self.safe) | self.unsafe
        both = np.flatnonzero(unsafe & self.published)
        if both.size:
            raise InputError(
                "Cell {cell} must be published, but it is unsafe. Make it safe, or let it be "
                "suppressed.",
                cell=cells.codes_of(int(both[0])),
            )
        levels = np.where(self.unsafe, np.abs(cells.values) * self.levels / 100, 0.0)
        return Judgement(
            unsafe,
            np.where(unsafe, np.maximum(judged.upper, levels), 0.0),
            np.where(unsafe, np.maximum(judged.lower, levels), 0.0),
        )


_NAMES: tuple[GivenStatus, ...] = ("safe", "published", "suppressed", "unsafe")


def _refuse_second(
    flags: dict[GivenStatus, Flags], cell: int, status: GivenStatus, cells: Cells
) -> None:
    other = next((name for name in _NAMES if name != status and flags[name][cell]), None)
    if other is not None:
        raise InputError(
            "Cell {cell} has two statuses that contradict each other: {one} and {other}.",
            cell=cells.codes_of(cell),
            one=other,
            other=status,
        )


def _find(cells: Cells, wanted: CellStatus) -> list[int]:
    """The cells that a status is about: none, if nobody contributes to it."""
    found: list[int] = []
    for table in cells.tables:
        if wanted.table not in {None, table.tabulation.title}:
            continue
        if set(wanted.cell) <= set(table.tabulation.by):
            found += table.cells[table.rows_of(wanted.cell)].tolist()
    return sorted(set(found))


def as_statuses(given: Sequence[CellStatus | dict[str, Any]]) -> list[CellStatus]:
    """Statuses, or their plain data."""
    return [one if isinstance(one, CellStatus) else CellStatus.parse(one) for one in given]


def refuse_unknown(families: Sequence[Cells], statuses: Sequence[CellStatus]) -> None:
    """Refuse a status that no table can have: of other variables, or of another table."""
    tables = [table.tabulation for cells in families for table in cells.tables]
    for one in statuses:
        fitting = [
            table
            for table in tables
            if one.table in {None, table.title} and set(one.cell) <= set(table.by)
        ]
        if not fitting:
            cell = " × ".join(f"{name} {code}" for name, code in one.cell.items())
            raise InputError("No table has the cell {cell}, whose status is given.", cell=cell)
