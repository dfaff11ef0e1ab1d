"""Make codes for missing values missing."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

import numpy as np
import polars as pl
from pydantic import model_validator

from microveil.files.columns.missing_codes import Code, codes_in
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.limits import Limit, limit_series
from microveil.tables import Table
from microveil.tables.kinds import is_number

NEEDS = "A limit in step 'set_missing' needs numbers, dates, times or durations."


class SetMissing(Method):
    """Make codes for missing values and impossible values missing: 9999, "unknown", an age of 200.

    Steps that average, round or add noise would otherwise treat such codes as numbers. Everything
    else stays as it is. Takes one pass over the columns.

    >>> step = SetMissing(columns=["height"], values=[9999])
    >>> step.protect({"height": [171, 9999]})["height"].to_list()
    [171, None]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("values", "above", "below")
    method: Literal["set_missing"] = "set_missing"
    columns: SomeColumns = ()
    """Columns in which the codes stand for missing."""
    values: tuple[Code, ...] = ()
    """The codes: numbers, or texts (compared without regard to case). Where the file has labels, a
    text may be the label of a code."""
    above: Limit | None = None
    """Values above this are impossible: a number, or ISO text for dates."""
    below: Limit | None = None
    """Values below this are impossible."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.values and self.above is None and self.below is None:
            raise ValueError("Give values, or a limit: above or below.")
        return self

    @property
    def row_wise(self) -> bool:
        """Always: a cell's fate depends on that cell alone."""
        return True

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Make the cells missing; the facts count them by column."""
        frame = usable_frame(table, self.columns, self.kind())
        gone = {name: self._is_gone(frame[name]) for name in self.columns}
        changed = [
            frame[name].to_frame().select(pl.when(~flags).then(pl.col(name))).to_series()
            for name, flags in gone.items()
            if flags.any()
        ]
        counts = {name: int(flags.sum()) for name, flags in gone.items()}
        return Outcome(table.with_columns(changed), {"n_changed": counts})

    def _is_gone(self, column: pl.Series) -> pl.Series:
        """Which cells hold a code or lie beyond a limit."""
        gone = codes_in(column, self.values)
        if column.dtype == pl.Null:
            return gone
        for limit, is_above in ((self.above, True), (self.below, False)):
            if limit is None:
                continue
            refuse_kinds(column.to_frame(), [column.name], is_number, NEEDS)
            ends = limit_series(limit, column.dtype, column.name)
            beyond = column > ends if is_above else column < ends
            gone |= beyond.fill_null(value=False)
        return gone
