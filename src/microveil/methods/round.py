"""Round to multiples of a base."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, field_validator

from microveil.arrays import Floats, Longs
from microveil.errors import ColumnError
from microveil.labels.recoding import Recoding
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.facts import change_facts
from microveil.methods.parts.households import HouseholdColumns, by_household
from microveil.methods.parts.real_values import fitting
from microveil.methods.parts.recoding import replay
from microveil.tables import Table
from microveil.texts import phrase

Mode = Literal["nearest", "down", "random"]

UNITS_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}
LARGEST_WHOLE = 2**62
"""Beyond this, the next multiple may not fit 64 bits."""
LARGEST_EXACT = 2.0**53
"""Floats beyond this are whole numbers, with gaps between them."""
LAST_BITS = 1e-12
"""Relative difference attributed to rounding error."""

NEEDS = phrase("Step 'round' needs numbers or durations; use generalize for dates and categories.")


class Round(Method):
    """Round numbers to multiples of a base.

    Whole numbers stay whole if the base is whole. Durations have a base in seconds. Missing stays
    missing.

    >>> frame = {"income": [1249, 1250, 1350]}
    >>> Round(columns="income", base=100).protect(frame)["income"].to_list()
    [1200, 1200, 1400]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("base", "mode", "household_columns")
    method: Literal["round"] = "round"
    columns: SomeColumns = ()
    """Columns to round."""
    base: int | float = Field(gt=0, le=10**15)
    """Results are multiples of this; in seconds for durations."""
    mode: Mode = "nearest"
    """nearest (ties go to the even multiple), down (towards minus infinity), or random: up or down
    at random, the nearer multiple the likelier, so that the mean is unbiased."""
    household_columns: HouseholdColumns = None
    """Columns that describe a household as a whole and, with random rounding, are changed once for
    all its members, if the roles name a household; by default those that are constant within every
    household."""

    @field_validator("base")
    @classmethod
    def _not_tiny(cls, base: float) -> float:
        if base < LAST_BITS:
            raise ValueError(
                phrase("A base below {last_bits} is lost in floating point.", last_bits=LAST_BITS)
            )
        return base

    @property
    def perturbative(self) -> bool:
        """With random rounding: the same value may become two."""
        return self.mode == "random"

    @property
    def row_wise(self) -> bool:
        """Unless rounding is random."""
        return self.mode != "random"

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:
        """Round the columns; the facts count the cells that changed."""
        if self.mode != "random":  # equal values stay equal
            return self._change(table, rng)
        return by_household(self, table, rng, Round._change)

    def recodes(self, name: str, values: pl.Series, counts: Longs) -> Recoding | None:
        """What each value becomes."""
        if name not in self.columns or self.perturbative:
            return None
        return replay(self.model_copy(update={"columns": (name,)}), values, counts)

    def _change(self, table: Table, rng: np.random.Generator) -> Outcome:
        before = usable_frame(table, self.columns, self.kind())
        refuse_kinds(before, self.columns, _has_multiples, NEEDS)
        present = [name for name in self.columns if before.schema[name] != pl.Null]
        after = before.with_columns([self._round(before[name], rng) for name in present])
        return Outcome(table.with_frame(after), change_facts(before, after, self.columns))

    def _round(self, series: pl.Series, rng: np.random.Generator) -> pl.Series:
        dtype = series.dtype
        chance = rng.random(len(series)) if self.mode == "random" else None
        if isinstance(dtype, pl.Duration):
            base = self.base * UNITS_PER_SECOND[dtype.time_unit]
            if not float(base).is_integer():
                raise ColumnError(
                    "The base is finer than the unit of column '{name}' can hold. Choose a "
                    "larger one.",
                    name=series.name,
                )
            wholes = _on_wholes(series.to_physical(), int(base), self.mode, chance)
            return wholes.cast(dtype)
        if dtype.is_integer() and float(self.base).is_integer():
            return _on_wholes(series, int(self.base), self.mode, chance)
        rounded = _apply_to_array(
            series.cast(pl.Float64), lambda x: _reals(x, self.base, self.mode, chance)
        )
        return rounded if dtype.is_integer() else fitting(rounded, dtype)


def _has_multiples(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype == pl.Duration


def _apply_to_array(series: pl.Series, change: Callable[[NDArray[Any]], NDArray[Any]]) -> pl.Series:
    """Apply a change to the numbers as an array; missing stays missing."""
    after = pl.Series(series.name, change(series.fill_null(0).to_numpy()))
    return after.set(series.is_null(), None) if series.null_count() else after


def _on_wholes(series: pl.Series, base: int, mode: Mode, chance: Floats | None) -> pl.Series:
    """Exact whole-number rounding; refuses what the column's type cannot hold."""
    wide = series.cast(pl.Int64, strict=False)
    n_lost = wide.null_count() - series.null_count() + int((wide.abs() > LARGEST_WHOLE).sum())
    after = _apply_to_array(wide, lambda x: _wholes(x, base, mode, chance)) if not n_lost else wide
    narrow = after.cast(series.dtype, strict=False)
    n_lost += narrow.null_count() - after.null_count()
    if n_lost:
        raise ColumnError(
            "{n_lost} values of column '{name}' would not fit its type when rounded. Store "
            "the column as 64-bit integers, or use mode 'down'.",
            n_lost=n_lost,
            name=series.name,
        )
    return narrow


def _wholes(values: Longs, base: int, mode: Mode, chance: Floats | None) -> Longs:
    multiple, rest = np.divmod(values, base)
    if chance is not None:
        multiple += chance * base < rest
    elif mode == "nearest":
        # rest > base − rest rather than 2 · rest > base, which may overflow.
        multiple += (rest > base - rest) | ((rest == base - rest) & (multiple % 2 == 1))
    return multiple * base


def _reals(values: Floats, base: float, mode: Mode, chance: Floats | None) -> Floats:
    inverse = round(1 / base)
    # Tenths and hundredths have no exact float; dividing by 10 or 100 gives the nearest one.
    by_inverse = inverse >= 1 and abs(inverse * base - 1) < LAST_BITS
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = values * inverse if by_inverse else values / base
        multiple = _whole_part(scaled, mode, chance)
        rounded = multiple / inverse if by_inverse else multiple * base
    # A float this large has no digits left to round.
    return np.where(np.abs(scaled) < LARGEST_EXACT, rounded, values)


def _whole_part(scaled: Floats, mode: Mode, chance: Floats | None) -> Floats:
    near = np.rint(scaled)
    if mode == "nearest":
        return near
    # 0.29 · 100 is 28.999…; what is whole apart from the last bits counts as whole.
    snapped = np.where(np.isclose(scaled, near, rtol=LAST_BITS, atol=LAST_BITS), near, scaled)
    multiple = np.floor(snapped)
    if chance is not None:
        multiple += chance < snapped - multiple
    return multiple
