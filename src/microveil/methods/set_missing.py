"""Make codes for missing values missing."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
import polars as pl
from pydantic import Field

from microveil.files.columns.missing_codes import Code, codes_in
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, usable_frame
from microveil.tables import Table


class SetMissing(Method):
    """Make codes for missing values missing: 9999 in a height, −9, "unknown".

    Steps that average, round or add noise would otherwise treat such codes as numbers. Everything
    else stays as it is. Takes one pass over the columns.

    >>> step = SetMissing(columns=["height"], values=[9999])
    >>> step.protect({"height": [171, 9999]})["height"].to_list()
    [171, None]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("values",)
    method: Literal["set_missing"] = "set_missing"
    columns: SomeColumns = ()
    """Columns in which the codes stand for missing."""
    values: tuple[Code, ...] = Field(min_length=1)
    """The codes: numbers, or texts (compared without regard to case)."""

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
        gone = {name: codes_in(frame[name], self.values) for name in self.columns}
        changed = [
            frame[name].to_frame().select(pl.when(~flags).then(pl.col(name))).to_series()
            for name, flags in gone.items()
            if flags.any()
        ]
        counts = {name: int(flags.sum()) for name, flags in gone.items()}
        return Outcome(table.with_columns(changed), {"n_changed": counts})
