"""Swap values of equal rank between two random halves."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import polars as pl

from microveil.arrays import Ints
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.ranks import (
    gather_from,
    needs_order,
    own_places,
    rows_present,
    sortable,
)
from microveil.methods.parts.strata import strata_rows
from microveil.tables import Table
from microveil.tables.kinds import has_order


class HalfSwap(Method):
    """Split the records into two random halves and swap the values of equal rank.

    In each column, the j-th smallest value of one half is swapped with the j-th smallest of the
    other. Columns share the halves, except for missing cells, which stay missing. If the number of
    values is odd, one chosen at random stays. Time grows as n log n. Source: Carlson & Salabasis
    (2002).

    >>> HalfSwap(columns="pay").protect({"pay": [1, 2, 8, 9]}, seed=0)["pay"].to_list()
    [2, 1, 9, 8]
    """

    method: Literal["half_swap"] = "half_swap"
    columns: SomeColumns = ()
    """Columns to swap: numbers, dates, times, durations or enums."""
    by_strata: bool = True
    """Whether to swap within each of the roles' strata; has no effect without strata."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and are changed once for all its members, if the
    roles name a household; by default those that are constant within every household."""

    @property
    def perturbative(self) -> bool:
        """Always: a value may end up in another record."""
        return True

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Swap the columns; the facts count values changed and left without a partner."""
        return by_household(self, table, rng, HalfSwap._change)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        before = usable_frame(table, self.columns, self.kind())
        refuse_kinds(before, self.columns, has_order, needs_order(self.kind()))
        strata = strata_rows(table, self.columns, apart=self.by_strata)
        strata = [rng.permutation(rows) for rows in strata]
        present = [before[name] for name in self.columns if before.schema[name] != pl.Null]
        after = before.with_columns([swapped_halves(series, strata) for series in present])
        facts: dict[str, Any] = change_facts(before, after, self.columns)
        facts["n_unswapped"] = {
            series.name: sum(len(rows) % 2 for rows in rows_present(series, strata))
            for series in present
        }
        return Outcome(table.with_frame(after), facts)


def swapped_halves(series: pl.Series, strata: list[Ints]) -> pl.Series:
    """Swap values of equal rank between the first and the second half of each stratum.

    The halves are random because rows are in random order.
    """
    values = sortable(series)
    source = own_places(len(series))
    for rows in rows_present(series, strata):
        half = len(rows) // 2
        # Stable, so that ties keep their random order.
        first, second = (
            part[np.argsort(values[part], kind="stable")]
            for part in (rows[:half], rows[half : 2 * half])
        )
        source[first], source[second] = second, first
    return gather_from(series, source)
