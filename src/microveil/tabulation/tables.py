"""Protected tables: what may be published, with the audit that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from microveil.arrays import Flags, Floats, Longs
from microveil.display import Card, Shown, grid
from microveil.errors import RequirementNotMetError
from microveil.specs import Spec
from microveil.tabulation.audit import Intervals
from microveil.tabulation.cell_table import EVERYTHING, CellTable
from microveil.tabulation.cells import Cells
from microveil.tabulation.rules import Judgement
from microveil.tabulation.tabulation import Tabulation

STATUSES = ("safe", "unsafe", "secondary")


@dataclass(frozen=True, eq=False, repr=False)
class ProtectedFamily:
    """Tables that measure the same, protected together."""

    cells: Cells
    judged: Judgement
    published: Floats
    """What is published of each cell; NaN where it is suppressed."""
    audit: Intervals | None = None
    """What an intruder can compute of the unsafe cells, where cells were suppressed."""
    disclosed: Longs = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """Unsafe cells that an outsider, or the only contributor of another, computes too closely."""
    price: float | None = None
    bound: float | None = None
    """The lowest price that a safe pattern can have, where the cheapest was searched for."""
    counts: Floats | None = None
    """The perturbed number of records of each cell, where counts are perturbed."""

    @property
    def n_behind(self) -> Floats:
        """Records behind each cell as they are published, by which a mean is divided."""
        n = self.cells.n_records.astype(np.float64) if self.counts is None else self.counts
        return np.where(n > 0, n, np.nan)

    @property
    def n_disclosed(self) -> int:
        """How many unsafe cells can be computed too closely."""
        return len(self.disclosed)

    @property
    def hidden(self) -> Flags:
        """The suppressed cells."""
        return np.isnan(self.published)

    def status(self) -> pl.Series:
        """Each cell's status: safe, unsafe (by a rule), or secondary."""
        number = np.where(self.judged.unsafe, 1, np.where(self.hidden, 2, 0))
        return pl.Series("status", np.array(STATUSES)[number])


@dataclass(frozen=True, eq=False, repr=False)
class ProtectedTables(Shown):
    """Tables that may be published together, and the evidence for it.

    :attr:`frames` fails closed: it raises while the audit finds a cell that gives somebody away.
    """

    families: tuple[ProtectedFamily, ...]
    rules: tuple[Spec, ...]
    protection: Spec | None
    earlier: tuple[Tabulation, ...] = ()
    """Earlier tables that were taken into account; they are not published again."""

    @property
    def holds(self) -> bool:
        """Whether the audit found every unsafe cell protected."""
        return self.n_disclosed == 0

    @property
    def n_disclosed(self) -> int:
        """Unsafe cells that an intruder could compute too closely."""
        return sum(family.n_disclosed for family in self.families)

    @property
    def frames(self) -> dict[str, pl.DataFrame]:
        """The published tables by name: codes, value (missing if suppressed) and status."""
        if not self.holds:
            family = next(one for one in self.families if one.n_disclosed)
            raise RequirementNotMetError(
                "{n:,} unsafe cells can be computed too closely from what would be published, the "
                "first of them {cell}, so nothing is released. Protect the tables: "
                "protect=Suppress().",
                n=self.n_disclosed,
                cell=family.cells.codes_of(int(family.disclosed[0])),
            )
        return {
            table.tabulation.title: _publish_table(table, family)
            for family, table in self.published_tables()
        }

    def office_frames(self) -> dict[str, pl.DataFrame]:
        """Every cell with what is published of it, its status and its true value.

        For the office only: it is not to be published.
        """
        found = {}
        for family, table in self.published_tables():
            true = _publish_table(table, replace(family, published=family.cells.values))
            shown = _publish_table(table, family)
            found[table.tabulation.title] = shown.with_columns(true["value"].alias("true"))
        return found

    def published_tables(self) -> list[tuple[ProtectedFamily, CellTable]]:
        """The tables that were asked for, each with its family."""
        return [
            (family, table)
            for family in self.families
            for table in family.cells.tables
            if not any(table.tabulation is one for one in self.earlier)
        ]

    @property
    def facts(self) -> list[dict[str, Any]]:
        """For each family of tables: numbers of cells, of suppressions, and what they cost."""
        return [_facts(family) for family in self.families]

    def audit_frame(self) -> pl.DataFrame:
        """The interval of each unsafe cell, for the office only: it is not to be published."""
        frames = [_intervals(family) for family in self.families if family.audit is not None]
        return pl.concat(frames) if frames else pl.DataFrame()

    def card(self) -> Card:
        """The summary that is shown."""
        names = ("cells", "unsafe", "secondary", "published", "value kept")
        rows = [
            [
                f"{facts['n_cells']:,}",
                f"{facts['n_unsafe']:,}",
                f"{facts['n_secondary']:,}",
                f"{facts['n_published']:,}",
                f"{facts['value_share']:.1%}",
            ]
            for facts in self.facts
        ]
        verdict = (
            "No unsafe cell can be computed from what is published."
            if self.holds
            else f"{self.n_disclosed:,} unsafe cells can be computed: nothing may be published."
        )
        return Card("Protected tables", (verdict,), (grid(names, rows),))


def _facts(family: ProtectedFamily) -> dict[str, Any]:
    hidden, unsafe = family.hidden, family.judged.unsafe
    size = np.abs(family.cells.values)
    inner = size.sum()
    return {
        "tables": [table.tabulation.title for table in family.cells.tables],
        "n_cells": family.cells.n_cells,
        "n_unsafe": int(unsafe.sum()),
        "n_secondary": int((hidden & ~unsafe).sum()),
        "n_published": int((~hidden).sum()),
        "value_share": float(size[~hidden].sum() / inner) if inner else 1.0,
        "n_disclosed": family.n_disclosed,
        "price": family.price,
        "lowest_price": family.bound,
    }


def _publish_table(table: CellTable, family: ProtectedFamily) -> pl.DataFrame:
    """One table as it is published: a row for each of its codes' combinations that is not empty."""
    shown = pl.Series("value", family.published).fill_nan(None)
    if table.tabulation.shown_statistic == "mean":
        shown = (shown / family.n_behind).fill_nan(None)
    cells = table.nodes.with_columns(
        shown[table.cells].alias("value"), family.status()[table.cells].alias("status")
    )
    order = []
    for dimension in table.dimensions:
        codes = pl.DataFrame(
            {
                dimension.name: [
                    EVERYTHING if node == dimension.total else node
                    for node in dimension.nodes.tolist()
                ],
                f"{dimension.name}__code": dimension.codes,
                f"{dimension.name}__place": range(len(dimension.codes)),
            },
            schema_overrides={dimension.name: pl.Int64},
        )
        cells = cells.join(codes, on=dimension.name)
        order.append(f"{dimension.name}__place")
    names = [dimension.name for dimension in table.dimensions]
    return cells.sort(order).select(
        *(pl.col(f"{name}__code").alias(name) for name in names), "value", "status"
    )


def _intervals(family: ProtectedFamily) -> pl.DataFrame:
    audit, cells = family.audit, family.cells
    if audit is None:
        return pl.DataFrame()
    at = audit.cells
    return pl.DataFrame(
        {
            "cell": [cells.codes_of(int(cell)) for cell in at],
            "value": cells.values[at],
            "lower": audit.lower,
            "upper": audit.upper,
            "must_reach_down_to": cells.values[at] - family.judged.lower[at],
            "must_reach_up_to": cells.values[at] + family.judged.upper[at],
        }
    )


def merge_judgements(judgements: Sequence[Judgement]) -> Judgement:
    """What several rules find together: the widest protection that any of them asks for."""
    unsafe = np.logical_or.reduce([one.unsafe for one in judgements])
    upper = np.maximum.reduce([one.upper for one in judgements])
    lower = np.maximum.reduce([one.lower for one in judgements])
    return Judgement(unsafe, upper, lower)
