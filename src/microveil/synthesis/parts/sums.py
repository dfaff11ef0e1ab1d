"""Sum constraints: a total that equals the sum of its parts in every synthetic record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from microveil.arrays import Floats
from microveil.errors import ColumnError, InputError
from microveil.specs import Spec
from microveil.synthesis.parts.columns import NumberColumn
from microveil.synthesis.parts.grids import MOST_DECIMALS
from microveil.tables.kinds import numbers_of
from microveil.tables.roles import Columns, check_columns


class Sum(Spec):
    """A total and its parts: in every record, the non-missing parts add up to the total.

    The total is computed from its parts; it is missing if all parts are. If only the parts are
    synthesized, they are scaled to the existing total; if that is missing, so are they.
    """

    total: str
    """Column that holds the sum."""
    parts: Columns = Field(min_length=1)
    """Columns that add up to it."""

    @model_validator(mode="after")
    def _total_of_others(self) -> Self:
        if self.total in self.parts or len(set(self.parts)) < len(self.parts):
            raise ValueError("A sum needs parts other than its total, each once.")
        return self

    def mend(self, frame: pl.DataFrame, fixed: Sequence[str]) -> pl.DataFrame:
        """Make the sum hold by changing columns that are not ``fixed``."""
        if self.total not in fixed:
            return self._added_up(frame)
        free = [name for name in self.parts if name not in fixed]
        return self._scale_parts(frame, free) if free else frame

    def _added_up(self, frame: pl.DataFrame) -> pl.DataFrame:
        present = pl.any_horizontal(pl.col(self.parts).is_not_null())
        total: pl.Expr = pl.when(present).then(pl.sum_horizontal(pl.col(self.parts)))
        dtype = frame.schema[self.total]
        if not dtype.is_numeric() or dtype.is_float():
            decimals = max(_decimals(frame[name]) for name in self.parts)
            total = total.round(decimals) if decimals <= MOST_DECIMALS else total
        return frame.with_columns(total.cast(dtype).alias(self.total))

    def _scale_parts(self, frame: pl.DataFrame, free: Sequence[str]) -> pl.DataFrame:
        """Free parts scaled to what the fixed parts leave of the total."""
        settled = [name for name in self.parts if name not in free]
        wanted = numbers_of(frame[self.total])
        for name in settled:
            wanted = wanted - np.nan_to_num(numbers_of(frame[name]))
        drawn = np.column_stack([np.nan_to_num(numbers_of(frame[name])) for name in free])
        decimals = max(_decimals(frame[name]) for name in (self.total, *self.parts))
        unit = 10.0**-decimals if decimals <= MOST_DECIMALS else None
        shared = _scale_rows(drawn, wanted, unit)
        return frame.with_columns(
            pl.Series(name, shared[:, j]).fill_nan(None).cast(frame.schema[name])
            for j, name in enumerate(free)
        )

    def find_broken(self, frame: pl.DataFrame) -> pl.Series:
        """Which records have a total that is not the sum of its parts."""
        parts = np.column_stack([numbers_of(frame[name]) for name in self.parts])
        total = numbers_of(frame[self.total])
        nothing = np.isnan(parts).all(axis=1)
        near = np.isclose(np.nansum(parts, axis=1), total, rtol=1e-9, atol=1e-9)
        return pl.Series("broken", np.where(nothing, ~np.isnan(total), ~near))


def check_sums(sums: Sequence[Sum], frame: pl.DataFrame, fixed: Sequence[str]) -> None:
    """Raise an error unless all columns exist and are numeric, and no part is in two sums."""
    for one in sums:
        check_columns((one.total, *one.parts), frame.columns)
        texts = [name for name in (one.total, *one.parts) if not frame.schema[name].is_numeric()]
        if texts:
            raise ColumnError(
                "A sum needs numeric columns, which {texts:quoted} is not.", texts=texts
            )
        if one.total in fixed and all(name in fixed for name in one.parts):
            raise InputError(
                "Neither '{total}' nor its parts are synthesized. Leave out the sum.",
                total=one.total,
            )
    scaled = [name for one in sums if one.total in fixed for name in one.parts]
    totals = [one.total for one in sums]
    doubled = [name for name in dict.fromkeys(scaled) if scaled.count(name) > 1]
    doubled += [name for name in dict.fromkeys(totals) if totals.count(name) > 1]
    if doubled:
        raise InputError(
            "Column {doubled:quoted} is in two sums at once. Leave one out.", doubled=doubled
        )


def in_order(sums: Sequence[Sum]) -> list[Sum]:
    """Sums in order of dependency; raise an error if they are circular."""
    left, ordered = list(sums), list[Sum]()
    while left:
        totals = {one.total for one in left}
        ready = [one for one in left if totals.isdisjoint(one.parts)]
        if not ready:
            raise InputError("The sums of {totals:quoted} are circular.", totals=sorted(totals))
        ordered += ready
        left = [one for one in left if one not in ready]
    return ordered


def _scale_rows(drawn: Floats, wanted: Floats, unit: float | None) -> Floats:
    """Each row scaled to a sum, in whole units if there is a unit (largest remainders)."""
    total = drawn.sum(axis=1, keepdims=True)
    shares = np.full_like(drawn, 1 / drawn.shape[1])
    np.divide(drawn, total, out=shares, where=total != 0)
    exact: Floats = shares * wanted[:, None]
    if unit is None:
        exact[:, -1] = wanted - exact[:, :-1].sum(axis=1)
        return exact
    units = np.rint(wanted / unit)
    whole = np.floor(exact / unit + 1e-9)
    rest = np.nan_to_num(units - whole.sum(axis=1))
    place = np.argsort(np.argsort(whole - exact / unit, axis=1, kind="stable"), axis=1)
    whole += place < rest[:, None]
    scaled: Floats = np.round(whole * unit, MOST_DECIMALS)
    return scaled


def _decimals(series: pl.Series) -> int:
    """Decimals of a column; more than the maximum if it has no grid."""
    if series.dtype.is_integer() or series.null_count() == len(series):
        return 0
    if isinstance(series.dtype, pl.Decimal):
        return series.dtype.scale or 0
    step = NumberColumn.of(series).step
    return MOST_DECIMALS + 1 if step is None else round(-np.log10(float(step)))
