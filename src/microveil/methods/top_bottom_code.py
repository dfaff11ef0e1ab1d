"""Top and bottom coding: cut off the extremes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from pydantic import Field, model_validator

from microveil.errors import InputError
from microveil.labels.recoding import Recoding
from microveil.methods.parts.base import Method, Outcome
from microveil.methods.parts.columns import SomeColumns, refuse_kinds, usable_frame
from microveil.methods.parts.limits import Limit, limit_series, upside_down
from microveil.methods.parts.recoding import replay
from microveil.tables import Table
from microveil.tables.kinds import is_number
from microveil.texts import phrase

LEAST_AVERAGED = 3
"""Fewer values than this are not averaged: their mean would reveal them."""

NEEDS = phrase(
    "Step 'top_bottom_code' needs numbers, dates, times or durations; "
    "use group_rare or generalize for categories."
)


class TopBottomCode(Method):
    """Replace values beyond a limit by the limit, or by the mean of all beyond it.

    A value equal to a limit is unchanged. Whole numbers stay whole unless the limit is not, or
    means are used; the facts record this. Missing stays missing. A limit given as a share costs a
    sort.

    >>> TopBottomCode(columns="age", top=89).protect({"age": [30, 89, 97]})["age"].to_list()
    [30, 89, 89]
    """

    public_parameters: ClassVar[tuple[str, ...]] = ("top", "bottom", "replace_by")
    method: Literal["top_bottom_code"] = "top_bottom_code"
    columns: SomeColumns = ()
    """Columns to code, all with the same limits or shares."""
    top: Limit | None = None
    """Largest value that stays visible: a number (seconds for durations), or ISO text for dates."""
    bottom: Limit | None = None
    """Smallest value that stays visible."""
    top_share: float | None = Field(default=None, ge=0, lt=1)
    """Share of the non-missing records to cut off at the top. The limit is the largest value left
    after removing that many, rounded down; if it also occurs among those removed, fewer are cut
    off, never more."""
    bottom_share: float | None = Field(default=None, ge=0, lt=1)
    """Share of the records to cut off at the bottom, likewise."""
    replace_by: Literal["limit", "mean"] = "limit"
    """What replaces a value cut off: the limit, or the mean of all values cut off at that end,
    which preserves the column's total. Fewer than three are not averaged, but set to the limit."""

    @model_validator(mode="after")
    def _clear_limits(self) -> Self:
        for end in ("top", "bottom"):
            if getattr(self, end) is not None and getattr(self, f"{end}_share") is not None:
                raise ValueError(phrase("Give either {end} or {end}_share, not both.", end=end))
        given = (self.top, self.bottom, self.top_share, self.bottom_share)
        if all(limit is None for limit in given):
            raise ValueError("Give a limit: top, bottom, top_share or bottom_share.")
        if self.top is not None and self.bottom is not None and upside_down(self.bottom, self.top):
            raise ValueError("The bottom limit is above the top limit.")
        if (self.top_share or 0) + (self.bottom_share or 0) > 1:
            raise ValueError("top_share and bottom_share together exceed 1.")
        return self

    @property
    def row_wise(self) -> bool:
        """Unless limits or means must first be computed from the whole column."""
        by_share = self.top_share is not None or self.bottom_share is not None
        return not by_share and self.replace_by == "limit"

    @property
    def draws(self) -> bool:
        """Never: nothing is left to chance."""
        return False

    def apply(self, table: Table, rng: np.random.Generator) -> Outcome:  # noqa: ARG002  nothing is left to chance
        """Code the columns; the facts count the cells cut off at each end."""
        return self.code(table, {})

    def recodes(self, name: str, values: pl.Series, counts: NDArray[np.int64]) -> Recoding | None:
        """What each value becomes."""
        if name not in self.columns:
            return None
        return replay(self.model_copy(update={"columns": (name,)}), values, counts)

    def code(self, table: Table, known: Mapping[str, Ends]) -> Outcome:
        """The same with ends that are known, by column; those of the table for the others."""
        frame = usable_frame(table, self.columns, self.kind())
        refuse_kinds(frame, self.columns, is_number, NEEDS)
        present = [name for name in self.columns if frame.schema[name] != pl.Null]
        coded = {
            name: self._code(frame[name], known.get(name) or self.ends_of(frame[name]))
            for name in present
        }
        facts: dict[str, Any] = {
            "n_top_coded": {name: result.n_top for name, result in coded.items()},
            "n_bottom_coded": {name: result.n_bottom for name, result in coded.items()},
            "n_missing": {name: frame[name].null_count() for name in self.columns},
            "now_float": [
                name
                for name, result in coded.items()
                if result.series.dtype.is_float() and not frame.schema[name].is_float()
            ],
        }
        return Outcome(table.with_columns([result.series for result in coded.values()]), facts)

    def ends_of(self, series: pl.Series) -> Ends:
        """The limit of a column, and what replaces the values beyond it."""
        top = self._limit(series, self.top, self.top_share, from_top=True)
        bottom = self._limit(series, self.bottom, self.bottom_share, from_top=False)
        dtype = self._result_dtype(series.dtype, [top, bottom])
        series = series.cast(dtype)
        top = None if top is None else top.cast(dtype)
        bottom = None if bottom is None else bottom.cast(dtype)
        if top is not None and bottom is not None and (bottom > top).item():
            raise InputError(
                "For column '{name}' the bottom limit is above the top limit. Widen one of them.",
                name=series.name,
            )
        return Ends(
            dtype,
            top,
            bottom,
            None if top is None else self._stand_in(series.filter(series > top), top),
            None if bottom is None else self._stand_in(series.filter(series < bottom), bottom),
        )

    def _code(self, series: pl.Series, ends: Ends) -> _Coded:
        series = series.cast(ends.dtype)
        nowhere = pl.repeat(value=False, n=len(series), eager=True)
        top, bottom = ends.top, ends.bottom
        above = nowhere if top is None else (series > top).fill_null(value=False)
        below = nowhere if bottom is None else (series < bottom).fill_null(value=False)
        coded = pl.col("value")
        for beyond, stand_in in ((above, ends.for_top), (below, ends.for_bottom)):
            if stand_in is not None:
                coded = pl.when(pl.lit(beyond)).then(pl.lit(stand_in).first()).otherwise(coded)
        after = series.to_frame("value").select(coded.alias(series.name)).to_series()
        return _Coded(after, int(above.sum()), int(below.sum()))

    def _limit(
        self, series: pl.Series, limit: float | str | None, share: float | None, *, from_top: bool
    ) -> pl.Series | None:
        """The limit as a column of one value; None if there is none."""
        if limit is not None:
            return limit_series(limit, series.dtype, series.name)
        values = series.drop_nulls()
        if share is None or values.is_empty():
            return None
        # 0.3 · 10 is 2.999… in floating point and means 3.
        n_cut = min(int(share * len(values) + 1e-9), len(values) - 1)
        return values.sort(descending=from_top).slice(n_cut, 1)

    def _result_dtype(self, dtype: pl.DataType, limits: list[pl.Series | None]) -> pl.DataType:
        """The column's own type, unless a limit or a mean needs a wider one."""
        if self.replace_by == "mean" and (dtype.is_integer() or dtype.is_decimal()):
            return pl.Float64()
        wider = [limit.dtype for limit in limits if limit is not None and limit.dtype != dtype]
        if not wider:
            return dtype
        return pl.Float64() if pl.Float64() in wider else wider[0]

    def _stand_in(self, cut_off: pl.Series, limit: pl.Series) -> pl.Series:
        if self.replace_by == "limit" or len(cut_off) < LEAST_AVERAGED:
            return limit
        mean = cut_off.to_frame().select(pl.all().mean()).to_series()
        return mean.cast(limit.dtype)


class Ends(NamedTuple):
    """Where a column is cut off; columns of one value each, none where an end stays."""

    dtype: pl.DataType
    """Type of the coded column."""
    top: pl.Series | None
    bottom: pl.Series | None
    for_top: pl.Series | None
    """What stands for the values above."""
    for_bottom: pl.Series | None


class _Coded(NamedTuple):
    series: pl.Series
    n_top: int
    n_bottom: int
